import MooringDecisions
import MooringModel

// Pass B over every string. One text may stand for as many wanted keys as there are: a file name
// under many identities. So what is common is gone through once for an attribute, and not in
// every record.

/// A needle that stands for many wanted keys, in an attribute, in one of the ways in which it may
/// mean them.
struct ToldText: Hashable {
    /// The needle's number.
    let needle: Int
    /// The attribute in which it stood.
    let attribute: Attribute
    /// Whether identifiers of owners are keys there.
    let isDoubtful: Bool
    /// Whether it was the whole value, as an identifier has to be to mean a key.
    let isWhole: Bool
    /// The buckets in which it was not meant.
    let displaced: Set<Int>
}

/// Wanted keys that were found where the mapping names none.
struct ToldKeys {
    private struct Place: Hashable {
        let wanted: Int
        let attribute: Attribute
    }

    private var first: [Place: ConfirmScan.UnmappedMatch] = [:]
    private var waiting: Set<ConfirmScan.UnmappedMatch> = []

    /// Names of columns that hold none.
    var silentNames: Set<String> = []

    /// What was told.
    var all: Set<ConfirmScan.UnmappedMatch> { waiting.union(first.values) }

    /// Tells that a key was found. Of several records with it in one attribute only that one is
    /// kept that stands before the others, and of one record what is told first; of an outbox all.
    mutating func tell(_ match: ConfirmScan.UnmappedMatch, isOutbox: Bool) {
        guard !isOutbox else {
            waiting.insert(match)
            return
        }
        let place = Place(wanted: match.wanted, attribute: Attribute(match.place))
        // Parts of a source are read side by side: which record comes first is chance.
        if let known = first[place], !match.place.precedes(known.place) { return }
        first[place] = match
    }
}

/// A place whose identity is not known, in one bucket or in all.
struct MarkedPlace: Hashable {
    /// The keys that may lie there.
    let pattern: KeyPattern
    /// The bucket's number; nil for all.
    let bucket: Int?
}

/// A wanted key that a value holds.
struct FoundKey: Hashable {
    /// The wanted key's number.
    let wanted: Int
    /// Whether it is the whole value.
    let isWhole: Bool
    /// Whether only the end of its path is.
    var isEnd = false

    /// Whether it is told before another: a key before the end of one, a whole value before a part.
    static func precedes(_ one: FoundKey, _ other: FoundKey) -> Bool {
        if one.wanted != other.wanted { return one.wanted < other.wanted }
        if one.isEnd != other.isEnd { return other.isEnd }
        return one.isWhole && !other.isWhole
    }
}

extension ConfirmScan {
    /// Searches every string of a row.
    mutating func search(
        _ row: [FieldValue], _ roles: [ColumnRole], _ columns: [String],
        _ identity: RecordIdentity, _ readings: [(Int, RecordReading)]
    ) {
        for (column, value) in row.enumerated() {
            guard let bytes = value.bytes, bytes.count >= wantedKeys.shortest else { continue }
            if case .blob = value { isBinary = true } else { isBinary = false }
            let role = roles[column]
            let place = RecordPlace(identity: identity, field: columns[column])
            let isOutbox = OutboxTable.tables.contains(identity.model)
            let found: Set<FoundKey>
            if role.isFile {
                found = judge(
                    bytes,
                    in: MappedColumn(
                        columns[column], readings, models: models, meaning: meaning),
                    Attribute(place))
            } else {
                found = keys(in: bytes, role, isOutbox: isOutbox, Attribute(place))
            }
            // What an outbox is about to write is no past, whatever a pattern covers.
            if role.isPast, !role.isFile, !isOutbox {
                remembered.formUnion(found.map(\.wanted))
            } else {
                tell(found, place, isMappedField: role.isFile, isOutbox: isOutbox)
            }
        }
    }

    /// Searches the names of a batch's columns: rows of JSON, and items, may hold keys as names of
    /// their members. Each name is told of the first row that has it, which `identity` names. What
    /// is no more than an identifier is the name of an attribute, and nothing else.
    mutating func searchNames(
        of batch: RecordBatch, _ roles: [ColumnRole],
        identity: (_ row: [FieldValue]) -> RecordIdentity
    ) {
        isBinary = false
        for (column, name) in batch.columns.enumerated()
        where !toldKeys.silentNames.contains(name) {
            let text = Array(name.utf8)
            guard text.count >= wantedKeys.shortest, !KeyTemplate.isIdentifier(text),
                !needles(in: text).isEmpty
            else {
                toldKeys.silentNames.insert(name)
                continue
            }
            let rows = (0..<batch.count).lazy.map { batch.row($0) }
            guard let row = rows.first(where: { $0[column] != .absent }) else { continue }
            let place = RecordPlace(identity: identity(row), field: name)
            let isOutbox = OutboxTable.tables.contains(place.identity.model)
            let found = keys(in: text, roles[column], isOutbox: isOutbox, Attribute(place))
            if roles[column].isPast, !isOutbox {
                remembered.formUnion(found.map(\.wanted))
            } else {
                tell(found, place, isMappedField: false, isOutbox: isOutbox)
            }
        }
    }

    private mutating func tell(
        _ found: Set<FoundKey>, _ place: RecordPlace, isMappedField: Bool, isOutbox: Bool
    ) {
        // Of one record only what says most is told.
        for key in found.sorted(by: FoundKey.precedes) where !referenced.contains(key.wanted) {
            toldKeys.tell(
                UnmappedMatch(
                    wanted: key.wanted, place: place, isWhole: key.isWhole,
                    isMappedField: isMappedField, isEnd: key.isEnd), isOutbox: isOutbox)
        }
    }

    // A value that as a whole means a listed object says nothing of others in its bucket, unless
    // it begins with a bucket's name. What is about to be
    // written may name a key by a bare identifier, which elsewhere stands for its record; an
    // outbox holds little, so that nothing is left out of it.
    private mutating func keys(
        in value: [UInt8], _ role: ColumnRole, isOutbox: Bool, _ attribute: Attribute
    ) -> Set<FoundKey> {
        var found: Set<FoundKey> = []
        for needle in needles(in: value) {
            guard isOutbox || isNew(needle, attribute, isDoubtful: false) else { continue }
            for number in meant(by: needle) where isOutbox || isKey(number, needle, role) {
                found.insert(
                    FoundKey(
                        wanted: number, isWhole: needle.isWhole,
                        isEnd: wantedKeys.isEnd(needle.needle)))
            }
        }
        return found
    }

    private func needles(in value: [UInt8]) -> [FoundNeedle] {
        let whole = WholeValue.trimmed(value)
        let isElsewhere = buckets.contains { Self.names($0, whole) }
        let own = wantedKeys.needle(of: whole)
        if let own, !isElsewhere, wantedKeys.buckets(of: own).count == buckets.count {
            return [FoundNeedle(needle: own, isWhole: true)]
        }
        let meant = Set(
            buckets.indices.filter {
                texts.isListed(whole, $0) && !Self.names(buckets[$0], whole)
            })
        if own == nil, meant.count == buckets.count { return [] }
        return search().needles(in: value).map { found in
            guard found.needle != own else { return found }
            var found = found
            found.displaced.formUnion(meant)
            return found
        }
    }

    private func search(
        besides isOwn: @escaping (ArraySlice<UInt8>) -> Bool = { _ in false }
    ) -> ValueSearch {
        var search = texts
        (search.isOwn, search.isBinary) = (isOwn, isBinary)
        return search
    }

    /// How a value is searched for wanted keys. It is made once: it holds much of the scan, and to
    /// take hold of that for every value would cost more than most searches do.
    static func texts(
        _ wantedKeys: WantedKeys, _ forms: TextForms, buckets: [BucketMapping],
        _ resolver: KeyResolver, known: Reconciler?
    ) -> ValueSearch {
        ValueSearch(
            index: wantedKeys.index, shortest: wantedKeys.shortest, isBare: wantedKeys.isBare,
            isEnd: wantedKeys.isEnd, forms: forms, buckets: wantedKeys.buckets(of:),
            isListed: { isListed($0, $1, known) },
            namesBucket: { names(buckets[$1], $0) },
            holds: { key, text in
                resolver.readings(of: ObjectKey(Array(key))).contains {
                    $0.relative.elementsEqual(text)
                }
            })
    }

    // Whether a text is the whole key of an object that was listed and that records reference.
    private static func isListed(
        _ text: ArraySlice<UInt8>, _ bucket: Int, _ known: Reconciler?
    ) -> Bool {
        known?.isListed(ObjectKey(Array(text)), bucket: bucket) == true
    }

    // Whether a text is a path that begins with a name of the bucket.
    private static func names(_ bucket: BucketMapping, _ text: ArraySlice<UInt8>) -> Bool {
        bucket.names.contains { text.starts(with: ($0 + "/").utf8) }
    }

    // The wanted keys that a needle may mean where it was found.
    private func meant(by needle: FoundNeedle) -> Few<Int> {
        let all = wantedKeys.numbers(of: needle.needle)
        guard !needle.displaced.isEmpty else { return all }
        return Few(all.lazy.filter { !needle.displaced.contains(wanted[$0].bucket) })
    }

    // What is a record's identifier too is a key only where no record is meant by it, and a bare
    // one only where it stands alone.
    private func isKey(_ number: Int, _ needle: FoundNeedle, _ role: ColumnRole) -> Bool {
        let namesakes = wantedKeys.namesakes(of: number, as: needle.needle)
        guard !namesakes.isEmpty else { return true }
        return (needle.isWhole || !wantedKeys.isBare(number, as: needle.needle))
            && !namesakes.contains { role.namesRecords(of: models[$0].mapping) }
    }

    // Whether the keys of a needle are to be gone through: always, unless they are very many.
    private mutating func isNew(
        _ found: FoundNeedle, _ attribute: Attribute, isDoubtful: Bool
    ) -> Bool {
        let needle = found.needle
        guard wantedKeys.isCommon(needle) else { return true }
        return toldTexts.insert(
            ToldText(
                needle: needle, attribute: attribute, isDoubtful: isDoubtful,
                isWhole: found.isWhole, displaced: found.displaced)
        ).inserted
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

// MARK: - Mapped fields

extension ConfirmScan {
    // A mapped value means the key under its own level and in its own bucket. Only where nothing
    // lies there may it mean a key elsewhere, or a twin, which `meanings` tell, or hold one inside:
    // then both ends are in doubt. What was not judged, since its place was not listed or its
    // record is new or deleted, may do so too.
    private mutating func judge(
        _ bytes: [UInt8], in column: MappedColumn, _ attribute: Attribute
    ) -> Set<FoundKey> {
        var found: Set<FoundKey> = []
        var missing: [[UInt8]: [Int]] = [:]
        var unlisted: [[UInt8]: UnlistedValue] = [:]
        for entry in column.references {
            if let number = danglingNumbers[entry.place] {
                missing[entry.reference.value, default: []].append(number)
            } else {
                let value = entry.reference.value
                for number in wholeKeys(value[...], [entry]) {
                    found.insert(FoundKey(wanted: number, isWhole: true))
                }
                if isAtRest(entry.reference, entry.field, identity: entry.identity) { continue }
                // By itself it means what it did, where nothing tells that this is not there.
                unlisted[value, default: UnlistedValue()].add(
                    meansItself: known == nil || entry.isTombstone,
                    at: known == nil ? ownKeys(of: entry) : nil)
            }
        }
        for (value, unlisted) in unlisted {
            found.formUnion(judge(missing: value, [], attribute, unlisted))
        }
        for (value, numbers) in missing {
            found.formUnion(judge(missing: value, numbers, attribute))
        }
        let isSingle = column.values.count == 1 && column.values.first?.elementsEqual(bytes) == true
        guard !isSingle || column.isUnusable else { return found }
        return found.union(rest(of: bytes, column, missing.values.flatMap { $0 }, attribute))
    }

    // What a missing reference holds inside, but for what it may mean as a whole. Where keys are
    // held, an identifier is one too.
    private mutating func judge(
        missing value: [UInt8], _ numbers: [Int], _ attribute: Attribute,
        _ unlisted: UnlistedValue? = nil
    ) -> Set<FoundKey> {
        var found: Set<FoundKey> = []
        let groups = meanings.groups(ofMissing: numbers)
        var search = search()
        search.isKey = true
        for needle in search.needles(in: value)
        where !meanings.areAllMeant(by: wantedKeys.text(of: needle.needle), in: groups) {
            if unlisted?.meansItself == true,
                wantedKeys.text(of: needle.needle).elementsEqual(value)
            {
                continue
            }
            let tellsAll = isNew(needle, attribute, isDoubtful: false)
            let all = meant(by: needle)
            // Of what was told before, a few show whether the value is in doubt.
            let held = all.prefix(tellsAll ? all.count : WantedKeys.commonLimit)
                .filter { !meanings.isMeant($0, in: groups) }
            if tellsAll {
                // A common text is gone through once only, so that other values stay unseen.
                let own = wantedKeys.isCommon(needle.needle) ? nil : unlisted?.own
                found.formUnion(
                    held.filter { !inside.note($0, own) }
                        .map { FoundKey(wanted: $0, isWhole: needle.isWhole) })
            }
            if !held.isEmpty { doubtful.formUnion(numbers) }
        }
        return found
    }

    // What stands in a column beside its references: it would go with a missing one, which is in
    // doubt. Where it cannot be read, nothing tells what it means: then a bare identifier is a key
    // too.
    private mutating func rest(
        of bytes: [UInt8], _ column: MappedColumn, _ missing: [Int], _ attribute: Attribute
    ) -> Set<FoundKey> {
        var found: Set<FoundKey> = []
        let groups = meanings.groups(ofMissing: missing)
        let isOwn = { (text: ArraySlice<UInt8>) in
            !column.isUnusable && column.values.contains(text)
        }
        for needle in search(besides: isOwn).needles(in: bytes)
        where !meanings.areAllMeant(by: wantedKeys.text(of: needle.needle), in: groups) {
            let tellsAll = isNew(needle, attribute, isDoubtful: column.isUnusable)
            let all = meant(by: needle)
            // As above: what was told before still leaves the references in doubt.
            let held = all.prefix(tellsAll ? all.count : WantedKeys.commonLimit).filter { number in
                (column.isUnusable || !wantedKeys.isBare(number, as: needle.needle))
                    && !meanings.isMeant(number, in: groups)
            }
            if !held.isEmpty { doubtful.formUnion(missing) }
            guard tellsAll else { continue }
            found.formUnion(held.map { FoundKey(wanted: $0, isWhole: needle.isWhole) })
        }
        return found
    }

    // The wanted keys that the text itself is, in a bucket that one of its references names.
    private func wholeKeys(_ text: ArraySlice<UInt8>, _ own: [MappedColumn.Entry]) -> [Int] {
        guard wantedKeys.needle(of: text) != nil else { return [] }
        let key = ObjectKey(Array(text))
        return buckets.indices.flatMap { number -> [Int] in
            let numbers = wantedNumbers[WantedKey(bucket: number, key: key)]
            guard !numbers.isEmpty else { return [] }
            let isNamed = own.contains { entry in
                let bucket = meaning.places(
                    of: entry.reference, in: entry.field, identity: entry.identity
                ).bucket
                return bucket == nil || bucket == number
            }
            return isNamed ? numbers : []
        }
    }
}
