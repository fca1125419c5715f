import MooringModel
import MooringText

/// Reads a full export with the changes since, as the table was at their end.
///
/// Of each item that a change names, the newest change alone tells what it is, or that it is gone:
/// the chain covers the full export's own moment. Memory does not grow with the table: a filter of
/// the changed keys (16 MiB) tells which items of the full export cannot have changed, and these
/// are handed on as they are read; the others and all changes lie in two scratch files. Of these up
/// to 32 MiB each wait to be written, and then a 256th of the changed keys is held at a time, with
/// up to 86 bytes for each, and one chunk: 64 KiB, or one item.
struct ExportMerge {
    /// Where the data files lie.
    let store: any ExportStore
    /// The folder for scratch files, with room for all changes and for the items that changed.
    let scratch: String

    /// Reads an export and its changes; returns what was wrong with them. Throws what `receive`
    /// throws, `StoreError` where the scratch files cannot be used, and `CancellationError`.
    func read<Gathering: ItemGathering>(
        _ export: ExportCatalogue.Export, _ gathering: @escaping () -> Gathering,
        _ receive: (RecordBatch) async throws -> Void
    ) async throws -> [ScanProblem] {
        let scan = ExportScan(store: store)
        let changes = ItemSpool(in: scratch)
        let items = ItemSpool(in: scratch)
        var filter = KeyFilter()
        var names: Set<[[UInt8]]> = []
        var problems = try await scan.read(
            export.changes.flatMap { changes in
                changes.parts.map { ($0, { EntryLines(of: changes.summary) }) }
            }
        ) { output in
            names.formUnion(output.names)
            for entry in output.entries {
                filter.insert(entry.key)
                try changes.append(entry.key, written: entry.written, entry.item)
            }
        }
        guard names.count <= 1 else {
            return problems + [
                ScanProblem(
                    place: store.place,
                    reason: "the incremental exports of table \(Quoted.name(export.table)) have "
                        + "keys of different attributes, so that they are of several tables")
            ]
        }
        let (keys, known) = (names.first ?? [], filter)
        problems += try await scan.read(
            export.parts.map { part in (part, { HeldLines(gathering(), holding: keys, known) }) }
        ) { output in
            switch output {
            case .batch(let batch): try await receive(batch)
            case .held(let held):
                for item in held { try items.append(item.key, written: 0, item.item) }
            }
        }
        for bucket in 0..<ItemSpool.buckets {
            try Task.checkCancellation()
            let newest = try NewestChanges(changes, bucket)
            var merge = Merged(gathering(), place: store.place)
            for chunk in 0..<(try changes.chunkCount(bucket)) {
                for (index, entry) in try changes.entries(chunk, of: bucket).enumerated()
                where newest.isNewest(entry, chunk, index) && !entry.item.isEmpty {
                    for batch in merge.add(entry.item) { try await receive(batch) }
                }
            }
            for chunk in 0..<(try items.chunkCount(bucket)) {
                for entry in try items.entries(chunk, of: bucket) where !newest.names(entry.key) {
                    for batch in merge.add(entry.item) { try await receive(batch) }
                }
            }
            for batch in merge.rest() { try await receive(batch) }
            problems += merge.problems
        }
        return problems
    }
}

/// Of each key of a bucket that changed, which of its changes is the newest.
private struct NewestChanges {
    private struct Change {
        let written: Int64
        let chunk: Int32
        let index: Int32
    }

    private var changes: [ItemKey: Change] = [:]

    // Overlapping exports tell one write twice. One that keeps the item is taken before one that
    // does not, since a reference too many protects.
    init(_ spool: ItemSpool, _ bucket: Int) throws {
        for chunk in 0..<(try spool.chunkCount(bucket)) {
            for (index, entry) in try spool.entries(chunk, of: bucket).enumerated() {
                if let before = changes[entry.key] {
                    let isEqual = entry.written == before.written && !entry.item.isEmpty
                    guard entry.written > before.written || isEqual else { continue }
                }
                changes[entry.key] = Change(
                    written: entry.written, chunk: Int32(chunk), index: Int32(index))
            }
        }
    }

    func names(_ key: ItemKey) -> Bool { changes[key] != nil }

    func isNewest(_ entry: ItemSpool.Entry, _ chunk: Int, _ index: Int) -> Bool {
        guard let newest = changes[entry.key] else { return false }
        return newest.chunk == chunk && newest.index == index
    }
}

/// Gathers items that were kept.
private struct Merged<Gathering: ItemGathering> {
    private var gathering: Gathering
    private let place: String
    private(set) var problems: [ScanProblem] = []

    init(_ gathering: Gathering, place: String) {
        self.gathering = gathering
        self.place = place
    }

    mutating func add(_ item: ArraySlice<UInt8>) -> [RecordBatch] {
        do throws(ItemFault) {
            try item.withUnsafeBufferPointer { (bytes) throws(ItemFault) in
                var cursor = JSONCursor(bytes)
                try gathering.add(&cursor)
            }
        } catch {
            problems.append(ScanProblem(place: place, reason: error.reason))
        }
        return gathering.takeBatches(end: false)
    }

    mutating func rest() -> [RecordBatch] { gathering.takeBatches(end: true) }
}
