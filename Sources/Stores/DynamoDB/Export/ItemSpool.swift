import MooringModel
import MooringReconcile

/// Items by their keys in a scratch file, in buckets of which one at a time is read again.
///
/// In memory are the ends of the buckets that are not written yet, 64 KiB of each and up to as
/// much again of room in their arrays: 32 MiB. A larger item is written at once, and no room for it
/// is kept.
final class ItemSpool {
    /// One of them.
    struct Entry {
        /// Its key.
        let key: ItemKey
        /// When it was written, in microseconds since 1970; of what has no such time any number.
        let written: Int64
        /// The item as DynamoDB writes it; empty where it was removed.
        let item: ArraySlice<UInt8>
    }

    /// How many buckets there are: what is held for each key of one is a 256th of all.
    static let buckets = 256

    private static let room = 64 << 10
    private static let head = 28
    private let folder: String
    private var file: ScratchFile?
    private var end = 0
    private var waiting: [[UInt8]]
    private var chunks: [[Range<Int>]]

    /// A spool in a folder, where room for all items is needed; the file is made when the first are
    /// written.
    init(in folder: String) {
        self.folder = folder
        waiting = Array(repeating: [], count: Self.buckets)
        chunks = Array(repeating: [], count: Self.buckets)
    }

    /// Keeps an item. Throws `StoreError` where the scratch file cannot be written.
    func append(_ key: ItemKey, written: Int64, _ item: [UInt8]) throws {
        let bucket = Int(key.high >> 56)
        if !waiting[bucket].isEmpty, waiting[bucket].count + item.count > Self.room {
            try flush(bucket)
        }
        for word in [key.high, key.low, UInt64(bitPattern: written)] {
            withUnsafeBytes(of: word) { waiting[bucket].append(contentsOf: $0) }
        }
        withUnsafeBytes(of: UInt32(item.count)) { waiting[bucket].append(contentsOf: $0) }
        waiting[bucket] += item
        if waiting[bucket].count > Self.room { try flush(bucket) }
    }

    /// How many chunks a bucket has, when all of it is kept. Throws as `append` does.
    func chunkCount(_ bucket: Int) throws -> Int {
        try flush(bucket)
        return chunks[bucket].count
    }

    /// The bytes for which the ends have room.
    var capacity: Int { waiting.reduce(0) { $0 + $1.capacity } }

    /// The items of a chunk, in the order in which they were kept: 64 KiB of them, or one. Throws
    /// `StoreError` where the scratch file cannot be read.
    func entries(_ chunk: Int, of bucket: Int) throws -> [Entry] {
        let bytes = try load(chunks[bucket][chunk])
        var entries: [Entry] = []
        var index = 0
        while index < bytes.count {
            let start = index + Self.head
            let entry = bytes.withUnsafeBytes { raw in
                let count = raw.loadUnaligned(fromByteOffset: index + 24, as: UInt32.self)
                return Entry(
                    key: ItemKey(
                        high: raw.loadUnaligned(fromByteOffset: index, as: UInt64.self),
                        low: raw.loadUnaligned(fromByteOffset: index + 8, as: UInt64.self)),
                    written: raw.loadUnaligned(fromByteOffset: index + 16, as: Int64.self),
                    item: bytes[start..<start + Int(count)])
            }
            entries.append(entry)
            index = entry.item.endIndex
        }
        return entries
    }

    private func flush(_ bucket: Int) throws {
        guard !waiting[bucket].isEmpty else { return }
        do throws(ScratchFile.Failure) {
            let file = try opened()
            let failure = waiting[bucket].withUnsafeBytes { bytes -> ScratchFile.Failure? in
                do throws(ScratchFile.Failure) {
                    try file.write(bytes, at: end)
                    return nil
                } catch {
                    return error
                }
            }
            if let failure { throw failure }
        } catch {
            throw self.error("what changed cannot be kept: \(error.reason)")
        }
        chunks[bucket].append(end..<end + waiting[bucket].count)
        end += waiting[bucket].count
        waiting[bucket].removeAll(keepingCapacity: waiting[bucket].capacity <= Self.room)
    }

    private func load(_ chunk: Range<Int>) throws -> [UInt8] {
        var failure: ScratchFile.Failure?
        let bytes = [UInt8](unsafeUninitializedCapacity: chunk.count) { room, count in
            do throws(ScratchFile.Failure) {
                try file?.read(into: UnsafeMutableRawBufferPointer(room), at: chunk.lowerBound)
                count = chunk.count
            } catch {
                failure = error
            }
        }
        guard let failure else { return bytes }
        throw error("what changed cannot be read again: \(failure.reason)")
    }

    private func opened() throws(ScratchFile.Failure) -> ScratchFile {
        if let file { return file }
        let made = try ScratchFile(in: folder)
        file = made
        return made
    }

    private func error(_ reason: String) -> StoreError {
        StoreError(
            place: folder, reason: reason, hint: "give a folder with more room by --scratch")
    }
}
