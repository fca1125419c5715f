package import MooringDecisions
package import MooringModel

/// Pass B: reads every string of every record after the listing, against the few candidates.
///
/// It drops orphans that a record gained meanwhile, finds the dangling references that still
/// stand, reads the possible owners, and finds wanted keys in attributes that nobody mapped.
package struct ConfirmScan {
    /// A wanted key found where the mapping names no key.
    package struct UnmappedMatch: Hashable, Sendable {
        /// The wanted key's number.
        package let wanted: Int
        /// The record; of a table that nobody mapped, with the table as its model.
        package let place: RecordPlace
        /// Whether the key is the attribute's whole value.
        package let isWhole: Bool
        /// Whether the mapping names the attribute as a file field, and the key stands inside.
        package let isMappedField: Bool
        /// Whether it is only the end of the key's path.
        package let isEnd: Bool
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
        package var changed: ChangeTime?
        /// Its version; nil where the mapping names none, or it has none.
        package var version: Int64?
        /// One text for this version of the row.
        package var token: String
    }

    /// A dangling reference that still stands, as pass B read it.
    package struct Standing: Hashable, Sendable {
        /// The record's version; nil when the mapping names none.
        package let version: Int64?
        /// Its last change; nil when it does not tell.
        package let changed: ChangeTime?
        /// One text for this version of the row.
        package let token: String
    }

    /// The models, over all sources.
    let models: [SourceModel]
    /// The buckets.
    let buckets: [BucketMapping]
    /// Turns values into keys and back.
    let resolver: KeyResolver
    /// The texts under which they may stand.
    let wantedKeys: WantedKeys
    /// Searches values for them.
    let texts: ValueSearch
    /// What references mean.
    let meaning: ReferenceRule
    /// The keys that it looks for, numbered in this order.
    let wanted: [WantedKey]
    /// Their numbers.
    let wantedNumbers: WantedNumbers
    // Made when a value that cannot be read is met first: most runs meet none.
    private lazy var segments = WantedSegments(wanted.map { resolver.names(of: $0.key) })
    /// What missing references may spell in another way.
    var spellings: SpellingIndex
    // Places of unknown identities under common names, whose keys were marked.
    private var markedPlaces: Set<MarkedPlace> = []
    /// Common names that were told where they stood first.
    var toldTexts: Set<ToldText> = []
    /// Whether the value that is searched is stored as bytes.
    var isBinary = false
    /// What was told of each attribute.
    var toldKeys = ToldKeys()
    /// What every record references, and what was listed of it; nil where nobody needs it.
    let known: Reconciler?
    /// The forms in which values spell keys.
    let forms: TextForms
    /// What is known of each source's texts beside the mapping.
    package var rules: [String: TextRules] = [:]
    /// The references whose objects were not listed.
    let dangling: [DanglingCandidate]
    /// Their numbers.
    let danglingNumbers: DanglingNumbers
    /// Wanted keys that tombstones spell in another way, as `Reconciler.buriedTwins` has them.
    let buried: [WantedKey: DanglingCandidate]
    /// Where wanted keys have twins; nil where missing references tell that.
    let twins: TwinPlaces?
    /// What the dangling references may mean beside their own objects.
    var meanings: MeaningIndex
    /// Which of them hold the key of an object that records reference.
    var enclosed: EnclosedKeys
    /// The fields whose keys are identifiers of records, which stand in every related record.
    let bareFields: [FileField]
    /// The records that wanted keys name as their owners.
    private(set) var ownerNames: Set<OwnerName> = []
    /// Whether objects that the rows of pass B reference are compared with what is missing: those
    /// that fingerprints matched are known by nobody else.
    package var comparesReferenced = false
    /// Whether the rows of pass B are those of pass A: then whoever reads them knows every place
    /// that they mean, and what the join left out was listed.
    package var readsAsBefore = false
    /// The places of the objects that were compared.
    var offered = OfferedPlaces()
    /// What finds nothing in most rows; nil until a row is read.
    var plain: PlainConfirm?
    /// How many rows a core looks at at least; fewer cost less than to have another one do it.
    var leastRows = 125
    // The wanted keys that name each record as their owner.
    private var owned: [OwnerName: [Int]] = [:]
    /// Records that are spelt like possible owners.
    private(set) var nearOwners = NearOwners()
    private var ambiguousOwners: Set<OwnerName> = []

    /// Wanted keys that a mapped field references now.
    package private(set) var referenced: Set<Int> = []
    /// Wanted keys found elsewhere, each once for an attribute. Of an outbox every record is told.
    package var unmapped: Set<UnmappedMatch> { toldKeys.all }
    /// Wanted keys that stand inside mapped values only, where nothing tells what was listed.
    package internal(set) var inside = NamesInside()
    /// Wanted keys that stand where it is said what was: they are no references.
    package internal(set) var remembered: Set<Int> = []
    /// Dangling references that still stand, by their number.
    package private(set) var standing: [Int: Standing] = [:]
    /// Dangling references whose value holds a key of a listed object inside.
    package internal(set) var doubtful: Set<Int> = []
    /// Wanted keys whose name an owner holds in some spelling, where no object lies at what it
    /// holds; with the owner's place.
    package internal(set) var named: [Int: RecordPlace] = [:]
    /// References that were read, by field.
    package internal(set) var counts: ReferenceCounts
    /// Rows of mapped tables that name no record.
    package internal(set) var rowsWithoutID = 0
    /// The possible owners that are there, without their field.
    package private(set) var owners: [OwnerName: OwnerRecord] = [:]

    /// A scan for these keys and dangling references; `known` is what pass A and the listings told.
    package init(
        models: [SourceModel], buckets: [BucketMapping], resolver: KeyResolver,
        wanted: [WantedKey], dangling: [DanglingCandidate], known: Reconciler? = nil
    ) {
        self.known = known
        self.models = models
        self.buckets = buckets
        self.resolver = resolver
        counts = ReferenceCounts(models)
        let indexes = ConfirmIndexes(
            dangling, wanted, models: models, buckets: buckets, resolver: resolver)
        let keys = indexes.keys
        forms = indexes.forms
        wantedKeys = keys
        texts = Self.texts(keys, forms, buckets: buckets, resolver, known: known)
        meaning = ReferenceRule(buckets: buckets, resolver: resolver)
        self.wanted = wanted
        (wantedNumbers, danglingNumbers) = (indexes.wantedNumbers, indexes.danglingNumbers)
        (spellings, meanings, enclosed) = (indexes.spellings, indexes.meanings, indexes.enclosed)
        self.dangling = dangling
        buried = known?.buriedTwins(of: wanted) ?? [:]
        twins = known == nil ? TwinPlaces(wanted, buckets: buckets, resolver: resolver) : nil
        bareFields = models.flatMap(\.mapping.files).filter {
            $0.template?.takesBareIdentifier == true
        }
        for (number, names) in keys.owners.enumerated() {
            for name in names {
                ownerNames.insert(name.withoutField)
                nearOwners.want(name.withoutField)
                if owned[name.withoutField]?.last != number {
                    owned[name.withoutField, default: []].append(number)
                }
            }
        }
    }

    /// Whether a wanted key names more owners than were looked for, or one whose name stands for
    /// two records.
    package func ownersCutOff(of wanted: Int) -> Bool {
        wantedKeys.ownersCutOff.contains(wanted)
            || wantedKeys.owners[wanted].contains { ambiguousOwners.contains($0.withoutField) }
    }
    /// The record that an owner's name stands for; nil when it is absent.
    package func owner(_ name: OwnerName) -> OwnerRecord? { owners[name.withoutField] }
}

// MARK: - Mapped fields

extension ConfirmScan {
    /// Reads one record.
    mutating func read(
        _ reading: RecordReading, model: Int, row: [FieldValue], columns: [String]
    ) {
        let mapping = models[model].mapping
        var token: String?
        func rowToken() -> String {
            if let token { return token }
            let made = RowToken.of(reading, row: row, columns: columns)
            token = made
            return made
        }
        for reference in reading.references {
            let field = mapping.files[reference.field]
            let meant = meaning.places(of: reference, in: field, identity: reading.identity)
            markReferenced(meant.patterns, value: reference.value, bucket: meant.bucket)
            if comparesReferenced { compare(meant) }
            noteTwins(of: meant)
            let place = DanglingPlace(
                reference, of: reading.id, model: model, bucket: meant.bucket)
            let missing = danglingNumbers[place]
            if let missing { meanings.claim(missing) }
            guard !reading.isTombstone else { continue }
            guard let number = missing,
                meant.bucket == nil || dangling[number].patterns == meant.patterns
            else { continue }
            stand(number, reading, token: rowToken())
        }
        for value in reading.unusable {
            if value.hidesReferences { protectKeys(inside: value.value) }
            let place = RecordPlace(
                identity: RecordIdentity(
                    source: models[model].source, model: mapping.model, id: reading.id),
                field: mapping.files[value.field].field)
            let spelt = spellings.wanted(in: value.value, identity: reading.identity)
            for number in spelt { name(number, at: place) }
        }
        nearOwners.read(reading.id, model: model)
        let name = OwnerName(model: model, field: -1, id: reading.id.joined)
        guard ownerNames.contains(name) else { return }
        claimNames(reading, model, owned[name] ?? [])
        var keys = Array(repeating: 0, count: mapping.files.count)
        for reference in reading.references { keys[reference.field] += 1 }
        add(
            OwnerRecord(
                id: reading.id, keys: keys, isTombstone: reading.isTombstone,
                changed: reading.changed, version: reading.version, token: rowToken()),
            as: name)
    }

    // What an owner holds may be another spelling of a key that names it. A value whose own object
    // is there means that one; where nothing tells what was listed, none is taken for another.
    private mutating func claimNames(_ reading: RecordReading, _ model: Int, _ owned: [Int]) {
        let mapping = models[model].mapping
        var segments = LastSegments(forms: forms)
        var missing: [Int] = []
        var place: RecordPlace?
        func note(_ field: Int, _ value: [UInt8]) {
            segments.add(value)
            place =
                place
                ?? RecordPlace(
                    identity: RecordIdentity(
                        source: models[model].source, model: mapping.model, id: reading.id),
                    field: mapping.files[field].field)
        }
        for reference in reading.references {
            if let number = missingNumber(of: reference, reading, model) {
                missing.append(number)
                note(reference.field, reference.value)
            } else if known != nil,
                !isAtRest(reference, mapping.files[reference.field], identity: reading.identity)
            {
                note(reference.field, reference.value)
            }
        }
        for value in reading.unusable where !value.value.isEmpty { note(value.field, value.value) }
        guard !segments.isEmpty, let place else { return }
        let held = segments.held(owned.map { resolver.names(of: wanted[$0].key) })
        for index in held { name(owned[index], at: place) }
        // What lies in quarantine under a missing reference's own key spells no other one; what it
        // is worth after a later deletion is judged.
        doubtful.formUnion(
            missing.filter { number in
                held.contains { !lies(wanted[owned[$0]], at: number) }
            })
    }

    // The number of a reference that was missing.
    private func missingNumber(
        of reference: StoredReference, _ reading: RecordReading, _ model: Int
    ) -> Int? {
        let meant = meaning.places(
            of: reference, in: models[model].mapping.files[reference.field],
            identity: reading.identity)
        return danglingNumbers[
            DanglingPlace(reference, of: reading.id, model: model, bucket: meant.bucket)]
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
        // The parts of two composite identifiers may join to one text.
        if merged.id != record.id { ambiguousOwners.insert(name) }
        owners[name] = merged
    }

    /// A column that two models read is one value: where the object is there that it means under
    /// one, a write about the other would take that reference with it.
    mutating func claimShared(_ readings: [(Int, RecordReading)]) {
        guard readings.count > 1, !dangling.isEmpty else { return }
        var present: Set<ColumnValue> = []
        var missing: [ColumnValue: [Int]] = [:]
        for (model, reading) in readings {
            for reference in reading.references {
                let field = models[model].mapping.files[reference.field]
                let value = ColumnValue(column: field.column, value: reference.value)
                if let number = missingNumber(of: reference, reading, model) {
                    missing[value, default: []].append(number)
                } else if isAtRest(reference, field, identity: reading.identity) {
                    present.insert(value)
                }
            }
        }
        for (value, numbers) in missing where present.contains(value) {
            doubtful.formUnion(numbers)
        }
    }

    // What a missing reference may spell in another way is in doubt, and so is the reference;
    // what it means by itself, or by a twin, is told by the meanings.
    private mutating func claimSpellings(of number: Int) {
        let groups = meanings.groups(ofMissing: [number])
        for other in spellings.wanted(by: number) where !meanings.isMeant(other, in: groups) {
            name(other, at: dangling[number].place)
            doubtful.insert(number)
        }
    }

    private mutating func stand(_ number: Int, _ reading: RecordReading, token: String) {
        claimSpellings(of: number)
        guard let other = standing[number] else {
            standing[number] = Standing(
                version: reading.version, changed: reading.changed, token: token)
            return
        }
        standing[number] = Standing(
            version: other.version,
            changed: other.changed.flatMap { one in reading.changed.map { max(one, $0) } },
            token: other.token + "+" + token)
    }

    /// Compares the objects that a reference means with what is missing, each once.
    mutating func compare(_ meant: MeantPlaces) {
        guard let bucket = meant.bucket, let known else { return }
        let fingerprints = known.fingerprints
        for pattern in meant.patterns where fingerprints.isListed(pattern, bucket: bucket) {
            let place = fingerprints.fingerprint(of: pattern, bucket: bucket)
            guard offered.insert(place) else { continue }
            add(referenced: pattern.shown, bucket: bucket)
        }
    }

    // A record that names a bucket nobody configured protects in all: the name may be an old one.
    private mutating func markReferenced(
        _ patterns: [KeyPattern], value: [UInt8], bucket: Int?
    ) {
        let meant = bucket.map { $0..<($0 + 1) } ?? buckets.indices
        for pattern in patterns {
            if case .exact(let key) = pattern {
                for bucket in meant {
                    referenced.formUnion(wantedNumbers[WantedKey(bucket: bucket, key: key)])
                }
            } else {
                let numbers = wantedKeys.numbers(for: value[...])
                if numbers.count > WantedKeys.commonLimit {
                    let place = MarkedPlace(pattern: pattern, bucket: bucket)
                    guard markedPlaces.insert(place).inserted else { continue }
                }
                for number in numbers
                where meant.contains(wanted[number].bucket)
                    && pattern.matches(wanted[number].key)
                {
                    referenced.insert(number)
                }
            }
        }
    }

    // A value that could not be read as a list or object may hide references: every wanted key
    // whose last path segment stands anywhere in it is protected.
    private mutating func protectKeys(inside text: [UInt8]) {
        var found: Set<Int> = []
        segments.take(standingIn: text) { found.formUnion($0) }
        let plain = JSONEscapes.removed(from: text)
        if plain != text { segments.take(standingIn: plain) { found.formUnion($0) } }
        referenced.formUnion(found)
    }
}
