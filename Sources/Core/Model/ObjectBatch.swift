/// Listed objects in one buffer, so that an object costs no allocation: keys with what a listing
/// tells of them, and nothing of links or doubts.
package struct ObjectSlab: Sendable {
    /// One object: where its key and ETag lie, and what the listing tells of it.
    package struct Entry: Sendable {
        /// Where its key begins among the bytes; its ETag follows it.
        package let start: UInt32
        /// The key's length in bytes.
        package let keyCount: UInt32
        /// The ETag's length in bytes, without quotes.
        package let etagCount: UInt32
        /// Bytes of content.
        package let size: Int64
        /// When it was written.
        package let lastModified: Instant

        /// The key's bytes among those of the slab.
        package var key: Range<Int> { Int(start)..<Int(start) + Int(keyCount) }
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// A slab without objects.
    package init() {}

    /// How many objects it holds.
    package var count: Int { entries.count }

    /// How many bytes of memory it takes, with what stays empty.
    package var room: Int { bytes.capacity + entries.capacity * MemoryLayout<Entry>.stride }

    /// Makes room for so many objects and bytes, so that filling it moves nothing.
    package mutating func reserve(objects: Int, bytes count: Int) {
        entries.reserveCapacity(objects)
        bytes.reserveCapacity(count)
    }

    /// Appends an object; the ETag stands without its quotes.
    package mutating func append(
        key: UnsafeBufferPointer<UInt8>, etag: UnsafeBufferPointer<UInt8>, size: Int64,
        lastModified: Instant
    ) {
        entries.append(
            Entry(
                start: UInt32(bytes.count), keyCount: UInt32(key.count),
                etagCount: UInt32(etag.count), size: size, lastModified: lastModified))
        bytes.append(addingCapacity: key.count + etag.count) { (room: inout OutputSpan<UInt8>) in
            room.withUnsafeMutableBufferPointer { room, filled in
                let room = UnsafeMutableBufferPointer(rebasing: room[filled...])
                _ = room.update(fromContentsOf: key)
                _ = UnsafeMutableBufferPointer(rebasing: room[key.count...])
                    .update(fromContentsOf: etag)
                filled += key.count + etag.count
            }
        }
    }

    /// Hands over the bytes and the objects.
    package func withEntries<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Entry>) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBufferPointer { bytes in
            try entries.withUnsafeBufferPointer { try body(bytes, $0) }
        }
    }

    /// The objects of a range as a slab of their own.
    package func part(_ range: Range<Int>) -> ObjectSlab {
        var part = ObjectSlab()
        guard let first = entries[range].first, let last = entries[range].last else { return part }
        part.entries = entries[range].map { entry in
            Entry(
                start: entry.start - first.start, keyCount: entry.keyCount,
                etagCount: entry.etagCount, size: entry.size, lastModified: entry.lastModified)
        }
        let end = last.key.upperBound + Int(last.etagCount)
        part.bytes = Array(bytes[Int(first.start)..<end])
        return part
    }

    /// An object's key.
    package func key(_ number: Int) -> ObjectKey { ObjectKey(Array(bytes[entries[number].key])) }

    /// An object as a value of its own.
    package func object(_ number: Int) -> ListedObject {
        let entry = entries[number]
        let etag = bytes[entry.key.upperBound..<entry.key.upperBound + Int(entry.etagCount)]
        return ListedObject(
            key: ObjectKey(Array(bytes[entry.key])),
            version: ObjectVersion(
                size: entry.size, etag: String(decoding: etag, as: UTF8.self),
                lastModified: entry.lastModified))
    }
}

/// Objects of a listing as a store delivers them: a bounded batch.
package struct ObjectBatch: Sendable {
    /// The objects in one buffer, where the store lists them so.
    package let slab: ObjectSlab?
    private let made: [ListedObject]

    /// A batch of single values, which may tell of links and doubts.
    package init(_ objects: [ListedObject]) {
        made = objects
        slab = nil
    }

    /// A batch in one buffer, which tells of no links and no doubts.
    package init(_ slab: ObjectSlab) {
        made = []
        self.slab = slab
    }

    /// How many objects there are.
    package var count: Int { slab?.count ?? made.count }

    /// All objects as values of their own; of a slab they are made anew each time.
    package var objects: [ListedObject] {
        guard let slab else { return made }
        return (0..<slab.count).map(slab.object)
    }
}
