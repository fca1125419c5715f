import MooringText

/// Numbers byte strings from 0 in the order of their first insertion, in one arena without an
/// allocation for each; equal bytes have one number.
struct ByteTable: Sendable {
    private let maker = FingerprintMaker()
    private var arena: [UInt8] = []
    // Where each begins: one may be the end of another.
    private var starts: [Int] = []
    private var lengths: [UInt32] = []
    private var hashes: [UInt64] = []
    // Open addressing: the number plus one, or 0 for a free place; at most half full.
    private var places: [UInt32] = Array(repeating: 0, count: 1 << 10)

    /// How many different strings there are; at most 2^32 - 2.
    var count: Int { hashes.count }

    /// The string of a number that `insert` gave.
    func bytes(_ number: Int) -> ArraySlice<UInt8> { arena[range(number)] }

    private func range(_ number: Int) -> Range<Int> {
        starts[number]..<starts[number] + Int(lengths[number])
    }

    /// The number of a string, which is inserted when it is new.
    mutating func insert(_ bytes: [UInt8]) -> Int { bytes.withUnsafeBufferPointer { insert($0) } }

    /// The same of bytes in place.
    mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = hash(bytes)
        let place = find(bytes, hash)
        if places[place] != 0 { return Int(places[place]) - 1 }
        arena.append(contentsOf: bytes)
        return add(arena.count - bytes.count..<arena.count, hash, at: place)
    }

    /// The number of the end of a string that is there, which is inserted when it is new, without
    /// a copy of its bytes; `count` is how many these are.
    mutating func insert(endOf number: Int, count: Int) -> Int {
        let range = range(number).suffix(count)
        let (hash, place) = arena.withUnsafeBufferPointer { arena in
            let bytes = UnsafeBufferPointer(rebasing: arena[range])
            let hash = self.hash(bytes)
            return (hash, find(bytes, hash))
        }
        if places[place] != 0 { return Int(places[place]) - 1 }
        return add(range, hash, at: place)
    }

    private mutating func add(_ range: Range<Int>, _ hash: UInt64, at place: Int) -> Int {
        starts.append(range.lowerBound)
        lengths.append(UInt32(range.count))
        hashes.append(hash)
        places[place] = UInt32(hashes.count)
        if hashes.count * 2 > places.count { grow() }
        return hashes.count - 1
    }

    /// Gives back the room that was taken for more strings.
    mutating func trim() {
        arena.trim()
        starts.trim()
        lengths.trim()
        hashes.trim()
    }

    /// The number of a string; nil when it is not there.
    func number(of bytes: [UInt8]) -> Int? { number(of: bytes[...]) }

    /// The same of a part of another text.
    func number(of bytes: ArraySlice<UInt8>) -> Int? {
        let found = bytes.withUnsafeBufferPointer { places[find($0, hash($0))] }
        return found == 0 ? nil : Int(found) - 1
    }

    /// All strings in the order of their numbers.
    var all: some RandomAccessCollection<ArraySlice<UInt8>> { (0..<count).lazy.map(bytes) }

    /// The strings in place, for as long as they are handed over.
    func withTexts<Result>(_ body: (Texts) -> Result) -> Result {
        arena.withUnsafeBytes { arena in
            starts.withUnsafeBufferPointer { starts in
                lengths.withUnsafeBufferPointer { lengths in
                    body(Texts(bytes: arena, starts: starts, lengths: lengths))
                }
            }
        }
    }

    /// The strings in place, by their numbers.
    struct Texts {
        fileprivate let bytes: UnsafeRawBufferPointer
        fileprivate let starts: UnsafeBufferPointer<Int>
        fileprivate let lengths: UnsafeBufferPointer<UInt32>

        /// The string of a number.
        subscript(number: Int) -> UnsafeRawBufferPointer {
            let start = starts[number]
            return UnsafeRawBufferPointer(rebasing: bytes[start..<start + Int(lengths[number])])
        }
    }

    private func find(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt64) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place] != 0 {
            let number = Int(places[place]) - 1
            if hashes[number] == hash, isEqual(number, bytes) { return place }
            place = (place + 1) & mask
        }
        return place
    }

    private func isEqual(_ number: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        arena.withUnsafeBufferPointer { arena in
            ByteWord.areSame(UnsafeBufferPointer(rebasing: arena[range(number)]), bytes)
        }
    }

    private mutating func grow() {
        places = Array(repeating: 0, count: places.count * 2)
        let mask = places.count - 1
        for (number, hash) in hashes.enumerated() {
            var place = Int(truncatingIfNeeded: hash) & mask
            while places[place] != 0 { place = (place + 1) & mask }
            places[place] = UInt32(number + 1)
        }
    }

    // Under secrets of its own: hostile keys cannot be chosen to collide.
    private func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        maker.make(bytes, tag: 0).low
    }
}

extension Array {
    /// Gives back the room that was taken for more elements.
    fileprivate mutating func trim() {
        guard capacity > count + count / 8 else { return }
        var exact: [Element] = []
        exact.reserveCapacity(count)
        exact += self
        self = exact
    }
}
