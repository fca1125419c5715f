/// Elements that are taken out and filled in anew for every row, in room that only grows: neither
/// costs an allocation, a copy or a look at who else holds them.
///
/// `@usableFromInline`, since of a type that has only the package's access nothing is inlined into
/// other modules.
@usableFromInline package struct Refilled<Element>: ~Copyable {
    /// The room; what lies behind the first `count` is nothing yet.
    @usableFromInline var room: UnsafeMutableBufferPointer<Element>

    /// How many there are.
    @usableFromInline package var count = 0

    /// None, and no room for any.
    @inlinable
    package init() {
        room = .allocate(capacity: 0)
    }

    @inlinable
    deinit {
        used.deinitialize()
        room.deallocate()
    }

    /// The part of the room that holds something.
    @inlinable @inline(__always)
    var used: UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(start: room.baseAddress, count: count)
    }

    /// All of them, until they are changed.
    @inlinable @inline(__always)
    package var elements: UnsafeBufferPointer<Element> {
        UnsafeBufferPointer(start: room.baseAddress, count: count)
    }

    /// One of them.
    @inlinable @inline(__always)
    package subscript(place: Int) -> Element {
        precondition(place >= 0 && place < count)
        return room[place]
    }

    /// Those of a range, until they are changed.
    @inlinable @inline(__always)
    package subscript(range: Range<Int>) -> UnsafeBufferPointer<Element> {
        precondition(range.lowerBound >= 0 && range.upperBound <= count)
        return UnsafeBufferPointer(rebasing: elements[range])
    }

    /// Appends one.
    @inlinable @inline(__always)
    package mutating func append(_ element: Element) {
        if count == room.count { grow(to: count + 1) }
        room.initializeElement(at: count, to: element)
        count += 1
    }

    /// Appends several.
    @inlinable @inline(__always)
    package mutating func append(_ more: UnsafeBufferPointer<Element>) {
        if count + more.count > room.count { grow(to: count + more.count) }
        _ = UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(fromContentsOf: more)
        count += more.count
    }

    /// Takes all out.
    @inlinable @inline(__always)
    package mutating func removeAll() {
        used.deinitialize()
        count = 0
    }

    /// Makes room for so many at least.
    @inlinable @inline(never)
    mutating func grow(to least: Int) {
        let wider = UnsafeMutableBufferPointer<Element>.allocate(
            capacity: max(least, 2 * room.count, 16))
        _ = wider.moveInitialize(fromContentsOf: used)
        room.deallocate()
        room = wider
    }
}
