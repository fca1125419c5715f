package import MooringDecisions
package import MooringModel

/// Pass B: reads every string of every record after the listing, against the few candidates.
///
/// It drops orphans that a record gained meanwhile, finds the dangling references that still
/// stand, reads the possible owners, and finds wanted keys in attributes that nobody mapped.
package struct ConfirmScan {
    /// A wanted key found where the mapping names no key.
    package struct UnmappedMatch: Hashable, Sendable {
        /// Which of the wanted keys.
        package let wanted: Int
        /// The record; of a table that nobody mapped, with the table as its model.
        package let place: RecordPlace
        /// What the attribute holds.
        package let value: [UInt8]
        /// Whether the mapping names the attribute as a file field, and the key stands inside.
        package let isMappedField: Bool
    }

    /// A possible owner, as it was read.
    package struct OwnerRecord: Hashable, Sendable {
        /// Its identifier, with its parts.
        package var id: RecordID
        /// How many keys each of the model's `files` holds.
        package var keys: [Int]
        /// Whether every row of it is a tombstone.
        package var isTombstone: Bool
        /// Its latest change; nil when it does not tell.
        package var changed: Instant?
        /// Its version.
        package var version: Int64?
        /// One text for this version of the row.
        package var token: String
    }

    /// A dangling reference that still stands, as it was read again.
    package struct Standing: Hashable, Sendable {
        package let version: Int64?
        package let changed: Instant?
        /// One text for this version of the row.
        package let token: String
    }

    private let models: [SourceModel]
    private let buckets: [BucketMapping]
    private let resolver: KeyResolver
    private let wantedKeys: WantedKeys
    private let wantedNumbers: [WantedKey: Int]
    private let wantedSuffixes: [SuffixedKey]
    private var danglingNumbers: [DanglingPlace: Int] = [:]
    private var ownerNames: Set<OwnerName> = []

    /// Wanted keys that a mapped field references now.
    package private(set) var referenced: Set<Int> = []
    /// Wanted keys found elsewhere, the same attribute of a record once.
    package private(set) var unmapped: Set<UnmappedMatch> = []
    /// Dangling references that still stand, by their number.
    package private(set) var standing: [Int: Standing] = [:]
    /// Dangling references whose value holds a key of a listed object inside.
    package private(set) var doubtful: Set<Int> = []
    /// The possible owners that are there, without their field.
    package private(set) var owners: [OwnerName: OwnerRecord] = [:]

    /// A scan for these keys and dangling references.
    package init(
        models: [SourceModel], buckets: [BucketMapping], resolver: KeyResolver,
        wanted: [WantedKey], dangling: [DanglingCandidate]
    ) {
        self.models = models
        self.buckets = buckets
        self.resolver = resolver
        let keys = WantedKeys(wanted, models: models, buckets: buckets, resolver)
        wantedKeys = keys
        wantedNumbers = Dictionary(
            wanted.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        wantedSuffixes = wanted.enumerated().map { SuffixedKey(number: $0, key: $1.key) }
        for (number, candidate) in dangling.enumerated() {
            let place = DanglingPlace(
                model: candidate.model, id: candidate.place.identity.id.parts,
                field: candidate.field, value: candidate.value)
            danglingNumbers[place] = number
        }
        for names in keys.owners {
            for name in names { ownerNames.insert(name.withoutField) }
        }
    }

    /// The possible owners that a wanted key names.
    package func possibleOwners(of wanted: Int) -> [OwnerName] { wantedKeys.owners[wanted] }
    /// Whether a wanted key names more owners than were looked for.
    package func ownersCutOff(of wanted: Int) -> Bool { wantedKeys.ownersCutOff.contains(wanted) }
    /// The record that an owner's name stands for; nil when it is absent.
    package func owner(_ name: OwnerName) -> OwnerRecord? { owners[name.withoutField] }

    /// Reads one batch of a source's rows.
    package mutating func read(_ batch: RecordBatch, source: String, searchesText: Bool) {
        let readers = models.indices.filter {
            models[$0].source == source && models[$0].mapping.table == batch.table
        }.compactMap { model in
            RecordReader(mapping: models[model].mapping, columns: batch.columns).map {
                (model, $0)
            }
        }
        let columns = batch.columns.map { column in
            ColumnRole(column, models: readers.map { models[$0.0].mapping })
        }
        for row in batch.rows {
            var identity: RecordIdentity?
            var readings: [(Int, RecordReading)] = []
            for (model, reader) in readers {
                guard let reading = reader.read(row) else { continue }
                read(reading, model: model, row: row)
                readings.append((model, reading))
                identity =
                    identity
                    ?? RecordIdentity(
                        source: source, model: models[model].mapping.model, id: reading.id)
            }
            guard searchesText, !wantedNumbers.isEmpty else { continue }
            let known = identity ?? Self.identity(of: row, batch, source)
            search(row, columns, batch.columns, known, readings)
        }
    }
}

// MARK: - Mapped fields

extension ConfirmScan {
    private mutating func read(_ reading: RecordReading, model: Int, row: [FieldValue]) {
        let mapping = models[model].mapping
        var token: String?
        func rowToken() -> String {
            if let token { return token }
            let made = RowToken.of(reading, row: row)
            token = made
            return made
        }
        for reference in reading.references {
            let field = mapping.files[reference.field]
            markReferenced(reference, field, reading.identity)
            guard !reading.isTombstone else { continue }
            let place = DanglingPlace(
                model: model, id: reading.id.parts, field: reference.field,
                value: reference.value)
            if let number = danglingNumbers[place] {
                standing[number] = Standing(
                    version: reading.version, changed: reading.changed, token: rowToken())
            }
        }
        for value in reading.unusable where value.hidesReferences {
            protectKeys(inside: value.value)
        }
        let name = OwnerName(model: model, field: -1, id: reading.id.joined)
        guard ownerNames.contains(name) else { return }
        var keys = Array(repeating: 0, count: mapping.files.count)
        for reference in reading.references { keys[reference.field] += 1 }
        add(
            OwnerRecord(
                id: reading.id, keys: keys, isTombstone: reading.isTombstone,
                changed: reading.changed, version: reading.version, token: rowToken()),
            as: name)
    }

    // Two rows with one id are one record: it holds the keys of both, and it changed with the
    // later of them.
    private mutating func add(_ record: OwnerRecord, as name: OwnerName) {
        guard var merged = owners[name] else {
            owners[name] = record
            return
        }
        merged.keys = zip(merged.keys, record.keys).map(+)
        merged.isTombstone = merged.isTombstone && record.isTombstone
        merged.changed = merged.changed.flatMap { one in record.changed.map { max(one, $0) } }
        merged.token += "+" + record.token
        owners[name] = merged
    }

    private mutating func markReferenced(
        _ reference: StoredReference, _ field: FileField, _ identity: [UInt8]?
    ) {
        let patterns = resolver.patterns(
            value: reference.value, level: field.level, identity: identity)
        // A record that names another bucket still protects: the name may be an old one.
        for bucket in buckets.indices {
            for pattern in patterns {
                if case .exact(let key) = pattern {
                    if let number = wantedNumbers[WantedKey(bucket: bucket, key: key)] {
                        referenced.insert(number)
                    }
                } else {
                    for number in wantedKeys.numbers(for: reference.value[...])
                    where pattern.matches(wantedSuffixes[number].key) {
                        referenced.insert(number)
                    }
                }
            }
        }
    }

    // A value that could not be read as a list or object may hide references: every wanted key
    // whose last path segment stands anywhere in it is protected.
    private mutating func protectKeys(inside text: [UInt8]) {
        for wanted in wantedSuffixes where wanted.mayStand(in: text) {
            referenced.insert(wanted.number)
        }
    }
}

// MARK: - Every string

extension ConfirmScan {
    private mutating func search(
        _ row: [FieldValue], _ roles: [ColumnRole], _ columns: [String],
        _ identity: RecordIdentity, _ readings: [(Int, RecordReading)]
    ) {
        let keys = wantedKeys
        let suffixed = wantedSuffixes
        for (column, value) in row.enumerated() where roles[column] != .named {
            guard let bytes = value.bytes else { continue }
            var whole: Set<Int> = []
            var relative: Set<Int> = []
            TextSearch(lengths: keys.lengths) { text in
                for number in keys.numbers(for: text) {
                    let isWhole = suffixed[number].key.bytes.elementsEqual(text)
                    if isWhole { whole.insert(number) } else { relative.insert(number) }
                }
            }.search(bytes)
            let isFile = roles[column] == .file
            guard !whole.isEmpty || !relative.isEmpty else { continue }
            let missing = isFile ? missingReferences(columns[column], readings) : []
            // A mapped value means the key under its own level; only where that is missing may
            // the same value mean a key under another one.
            var found = whole
            if !isFile || !missing.isEmpty { found.formUnion(relative) }
            found.subtract(referenced)
            for number in found {
                unmapped.insert(
                    UnmappedMatch(
                        wanted: number,
                        place: RecordPlace(identity: identity, field: columns[column]),
                        value: bytes, isMappedField: isFile))
            }
            if !found.isEmpty { doubtful.formUnion(missing) }
        }
    }

    private func missingReferences(
        _ column: String, _ readings: [(Int, RecordReading)]
    ) -> Set<Int> {
        var numbers: Set<Int> = []
        for (model, reading) in readings {
            for reference in reading.references
            where models[model].mapping.files[reference.field].field == column {
                let place = DanglingPlace(
                    model: model, id: reading.id.parts, field: reference.field,
                    value: reference.value)
                if let number = danglingNumbers[place] { numbers.insert(number) }
            }
        }
        return numbers
    }

    // Of a table that nobody mapped, the column `id` names the record, or else the first one.
    private static func identity(
        of row: [FieldValue], _ batch: RecordBatch, _ source: String
    ) -> RecordIdentity {
        let column = batch.columns.firstIndex(of: "id") ?? 0
        let bytes = row.indices.contains(column) ? row[column].bytes ?? [] : []
        return RecordIdentity(source: source, model: batch.table, id: RecordID(bytes))
    }
}
