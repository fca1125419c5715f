import MooringDecisions
import MooringModel

// Pass B over every string. One text may stand for as many wanted keys as there are: a file name
// under many identities. So what is common is gone through once, and not in every record.

/// A text that stands for many wanted keys, in one of the ways in which it may mean them.
struct ToldText: Hashable {
    /// The text.
    let text: [UInt8]
    /// Whether identifiers of owners are keys there.
    let isDoubtful: Bool
}

/// A place whose identity is not known, in one bucket or in all.
struct MarkedPlace: Hashable {
    /// The place.
    let pattern: KeyPattern
    /// Which of the buckets; nil for all.
    let bucket: Int?
}

extension ConfirmScan {
    /// Searches every string of a row that is no named one.
    mutating func search(
        _ row: [FieldValue], _ roles: [ColumnRole], _ columns: [String],
        _ identity: RecordIdentity, _ readings: [(Int, RecordReading)]
    ) {
        for (column, value) in row.enumerated() where roles[column] != .named {
            guard let bytes = value.bytes else { continue }
            var texts: Set<ArraySlice<UInt8>> = []
            let keys = wantedKeys
            TextSearch(lengths: keys.lengths) { text in
                if !keys.numbers(for: text).isEmpty { texts.insert(text) }
            }.search(bytes)
            guard !texts.isEmpty else { continue }
            let isFile = roles[column] == .file
            let found =
                isFile
                ? judge(texts, in: MappedColumn(columns[column], readings, models: models))
                : identity.model == OutboxTable.dataStore.table
                    ? waiting(texts) : told(texts)
            for number in found where !referenced.contains(number) {
                unmapped.insert(
                    UnmappedMatch(
                        wanted: number,
                        place: RecordPlace(identity: identity, field: columns[column]),
                        value: bytes, isMappedField: isFile))
            }
        }
    }

    private mutating func told(_ texts: Set<ArraySlice<UInt8>>) -> Set<Int> {
        var found: Set<Int> = []
        for text in texts where isNew(text, isDoubtful: false) {
            found.formUnion(wantedKeys.numbers(forUnmapped: text))
        }
        return found
    }

    // What is about to be written may name a key by a bare identifier, which elsewhere stands for
    // its record. An outbox holds little, so that nothing is left out of it.
    private func waiting(_ texts: Set<ArraySlice<UInt8>>) -> Set<Int> {
        Set(texts.flatMap(wantedKeys.numbers(for:)))
    }

    // Whether the keys of a text are to be gone through: always, unless they are very many.
    private mutating func isNew(_ text: ArraySlice<UInt8>, isDoubtful: Bool) -> Bool {
        guard wantedKeys.isCommon(text) else { return true }
        return toldTexts.insert(ToldText(text: Array(text), isDoubtful: isDoubtful)).inserted
    }

    // A mapped value means the key under its own level and in its own bucket. Only where nothing
    // lies there may the same value mean a key elsewhere, or a twin, which `meanings` tell: then
    // both ends are in doubt.
    private mutating func judge(
        _ texts: Set<ArraySlice<UInt8>>, in column: MappedColumn
    ) -> Set<Int> {
        var found: Set<Int> = []
        let missing = column.references.compactMap { danglingNumbers[$0.place] }
        let groups = meanings.groups(ofMissing: missing)
        var inDoubt = false
        for text in texts where !meanings.areAllMeant(by: text, in: groups) {
            let own = column.references(of: text)
            // A value whose own object is there says nothing about a key elsewhere, whatever
            // else the same list misses.
            let isDoubtful = column.isUnusable || own.isEmpty && !missing.isEmpty
            var numbers: ArraySlice<Int>
            var tellsAll = true
            if isDoubtful || own.isEmpty {
                tellsAll = isNew(text, isDoubtful: isDoubtful)
                // Of what was told before, a few show whether the value is in doubt.
                if !tellsAll, !isDoubtful { continue }
                numbers =
                    isDoubtful
                    ? wantedKeys.numbers(for: text)[...]
                    : wantedKeys.numbers(forUnmapped: text)[...]
                if !tellsAll { numbers = numbers.prefix(WantedKeys.commonLimit) }
            } else {
                numbers = wholeKeys(text, own)[...]
            }
            let held = numbers.filter { !meanings.isMeant($0, in: groups) }
            if tellsAll { found.formUnion(held) }
            if own.isEmpty, !held.isEmpty { inDoubt = true }
        }
        if inDoubt { doubtful.formUnion(missing) }
        return found
    }

    // The wanted keys that are the text itself, in a bucket that one of its references names.
    private func wholeKeys(_ text: ArraySlice<UInt8>, _ own: [MappedColumn.Entry]) -> [Int] {
        let key = ObjectKey(Array(text))
        return buckets.indices.flatMap { number -> [Int] in
            guard let numbers = wantedNumbers[WantedKey(bucket: number, key: key)] else {
                return []
            }
            let isNamed = own.contains { entry in
                let bucket = bucketNames.number(of: entry.reference, entry.field)
                return bucket == nil || bucket == number
            }
            return isNamed ? numbers : []
        }
    }

    /// Names a row: of a table that nobody mapped, the column `id` does, or else the first one.
    static func identity(
        of row: [FieldValue], _ batch: RecordBatch, _ source: String
    ) -> RecordIdentity {
        let column = batch.columns.firstIndex(of: "id") ?? 0
        let bytes = row.indices.contains(column) ? row[column].bytes ?? [] : []
        return RecordIdentity(source: source, model: batch.table, id: RecordID(bytes))
    }
}
