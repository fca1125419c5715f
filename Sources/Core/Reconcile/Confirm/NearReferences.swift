package import MooringDecisions
package import MooringModel
import MooringText

/// References that may mean orphans under another name, as soon as their own objects are gone.
///
/// A listing of now tells which objects are missing, and pass B what each missing reference may
/// mean elsewhere. An inventory tells what was there: of what it lists only that is looked at by
/// name whose reference may mean an orphan. It errs to more of them: they cost a look each.
///
/// Of orphans it holds filters alone, of references those few whose names these let through.
package struct NearReferences: Sendable {
    // What a reference and an orphan may have in common.
    private enum Name: Hashable {
        // A spelling of the value under any level, or of a whole key in one bucket.
        case twin(TwinForm, bucket: Int?)
        case path(LoosePath)
        case file(String)
        // The record itself, where an orphan's key names it as the owner, whatever it holds.
        case owner(model: Int, id: [UInt8])

        // For a filter of this process.
        var hash: UInt64 { UInt64(bitPattern: Int64(hashValue)) }
    }

    // A reference, by what it means itself: one key of it has to be there.
    private struct Meant: Sendable {
        let own: [WantedKey]
        let place: RecordPlace
        // Whether all places that it may mean are among these keys.
        let isKnown: Bool
    }

    // The references of one name, by their numbers.
    private struct Group: Sendable {
        let isFile: Bool
        var meant: Set<Int> = []
        var isCommon = false
        // How many orphans have the name.
        var orphans = 0
    }

    /// So many objects are looked at for one name.
    package static let limit = 1_000
    // The name of a file that more orphans have tells of none of them, as `SpellingIndex` has it.
    private static let few = 8

    private let orphans: [WantedKey]
    private let models: [SourceModel]
    private let mappings: [BucketMapping]
    private let resolver: KeyResolver
    private let forms: TextForms
    private let buckets: Set<Int>
    // The models of which an orphan names a record.
    private var owning: Set<Int> = []
    private let twins: TailFilter
    // Of file names, and of all that orphans and references may have in common.
    private var files = SpellingFilter()
    private var names = NameFilter()
    private var meant: [Meant] = []
    private var meantNumbers: [MeantPlaces: Int] = [:]
    private var numbers: [Name: Int] = [:]
    private var groups: [Group] = []
    // Of orphans the groups whose name they have, by their numbers; most have none.
    private var groupsOf: [Int: [Int]] = [:]

    /// Those of these orphans, among references to these buckets of all.
    package init(
        to orphans: [WantedKey], in buckets: Set<Int>, of mappings: [BucketMapping],
        models: [SourceModel], resolver: KeyResolver
    ) {
        (self.orphans, self.buckets, self.mappings) = (orphans, buckets, mappings)
        (self.models, self.resolver) = (models, resolver)
        forms = TextForms(foldsPaths: false)
        // Where values are no ends of keys, no filter is asked.
        twins = TailFilter(resolver, Cores.each(orphans.count) { TwinForm(orphans[$0].key.bytes) })
        let found = Cores.each(orphans.count) { number -> [[UInt8]] in
            let key = orphans[number].key.bytes
            return (LoosePath(key)?.plainName.map { [$0] } ?? [])
                + FileName.loose(endOf: key).map { Array($0.utf8) }
        }
        for name in found.joined() { files.insert(name) }
        let loose = LooseLevels(resolver)
        var (owning, names) = (owning, names)
        Cores.each(orphans.count) { number in
            let own = Self.owners(of: orphans[number], models, mappings, resolver)
            return (own, Self.names(of: orphans[number], resolver, loose).union(own).map(\.hash))
        } take: { _, found in
            for case .owner(let model, _) in found.0 { owning.insert(model) }
            for hash in found.1 { names.insert(hash: hash) }
        }
        (self.owning, self.names) = (owning, names)
    }

    /// Whether an orphan may name a record of a model as its owner: all of them take a closer look.
    func mayBeOwned(by model: Int) -> Bool { owning.contains(model) }

    /// Whether an orphan may name a record as its owner: what that holds is looked at.
    func mayBeOwned(by id: RecordID, of model: Int) -> Bool {
        owning.contains(model) && names.mayHold(Name.owner(model: model, id: id.joined).hash)
    }

    /// Whether a reference of this value may mean an orphan; it tells of most that they do not.
    func mayMean(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        if twins.mayHold(value) || !resolver.cutsAtSlashes { return true }
        var start = 0
        for (place, byte) in value.enumerated() {
            // What may stand before, behind or for another text takes a closer look.
            if byte >= 0x7F || byte < 0x20 || "%?#\\:&;+\"".utf8.contains(byte) { return true }
            if byte == UInt8(ascii: "/") { start = place + 1 }
        }
        let name = UnsafeBufferPointer(rebasing: value[start...])
        return files.mayHoldWhole(name) || files.mayHold(value)
    }

    /// Takes a reference whose object was listed, and whose value may mean an orphan.
    mutating func take(
        _ reference: StoredReference, of reading: RecordReading, model: Int, _ places: MeantPlaces
    ) {
        guard let bucket = places.bucket, buckets.contains(bucket) else { return }
        let mapping = models[model].mapping
        let field = mapping.files[reference.field]
        let candidate = DanglingCandidate(
            model: model,
            place: RecordPlace(
                identity: RecordIdentity(
                    source: models[model].source, model: mapping.model, id: reading.id),
                field: field.field, index: reference.index, version: reading.version),
            field: reference.field, bucket: bucket, foreignBucket: nil, value: reference.value,
            stored: field.stored, patterns: places.patterns, indexes: [], changed: nil)
        let open = names(of: candidate, isTombstone: reading.isTombstone).filter { name in
            names.mayHold(name.hash) && numbers[name].map { groups[$0].isCommon } != true
        }
        guard !open.isEmpty else { return }
        let number = number(of: candidate, places)
        for name in open { add(number, to: name) }
    }

    private mutating func number(of candidate: DanglingCandidate, _ places: MeantPlaces) -> Int {
        if let number = meantNumbers[places] { return number }
        let own = places.patterns.compactMap { pattern -> WantedKey? in
            guard case .exact(let key) = pattern, let bucket = places.bucket else { return nil }
            return WantedKey(bucket: bucket, key: key)
        }
        meantNumbers[places] = meant.count
        meant.append(
            Meant(
                own: own, place: candidate.place, isKnown: own.count == places.patterns.count))
        return meant.count - 1
    }

    // As `MeaningIndex` and `SpellingIndex` have them; a tombstone protects twins alone.
    private func names(of candidate: DanglingCandidate, isTombstone: Bool) -> Set<Name> {
        var names: Set<Name> = []
        var keys: [[UInt8]] = []
        for case .exact(let key) in candidate.patterns {
            keys.append(key.bytes)
            names.insert(.twin(TwinForm(key.bytes), bucket: candidate.bucket))
        }
        names.insert(.owner(model: candidate.model, id: candidate.place.identity.id.joined))
        guard !isTombstone else { return names }
        for name in resolver.ownNames(of: candidate) + resolver.names(in: candidate) {
            names.insert(.twin(TwinForm(name), bucket: nil))
        }
        names.formUnion(LoosePath.all(in: candidate.value, forms).map(Name.path))
        names.formUnion(keys.compactMap { LoosePath($0) }.map(Name.path))
        names.formUnion(FileName.loose(endOf: candidate.value).map(Name.file))
        return names
    }

    private mutating func add(_ number: Int, to name: Name) {
        let group = numbers[name] ?? groups.count
        if group == groups.count {
            numbers[name] = group
            let isFile = if case .file = name { true } else { false }
            groups.append(Group(isFile: isFile))
        }
        groups[group].meant.insert(number)
        guard groups[group].meant.count > Self.limit else { return }
        groups[group].isCommon = true
        groups[group].meant = []
    }
}

extension NearReferences {
    /// Ends the references: finds the orphans that they may mean.
    package mutating func settle() {
        guard !groups.isEmpty else { return }
        let (loose, orphans, numbers) = (LooseLevels(resolver), orphans, numbers)
        let (models, mappings, resolver) = (models, mappings, resolver)
        Cores.each(orphans.count) { number in
            let orphan = orphans[number]
            return Self.names(of: orphan, resolver, loose)
                .union(Self.owners(of: orphan, models, mappings, resolver))
                .compactMap { numbers[$0] }
        } take: { orphan, own in
            guard !own.isEmpty else { return }
            groupsOf[orphan] = own
            for group in own { groups[group].orphans += 1 }
        }
    }

    // The records that a key names, as pass B looks for them.
    private static func owners(
        of orphan: WantedKey, _ models: [SourceModel], _ mappings: [BucketMapping],
        _ resolver: KeyResolver
    ) -> Set<Name> {
        let readings = resolver.readings(of: orphan.key)
        let (owners, _) = WantedKeys.owners(of: orphan, readings, models, mappings)
        return Set(owners.map { .owner(model: $0.model, id: $0.id) })
    }

    private static func names(
        of orphan: WantedKey, _ resolver: KeyResolver, _ loose: LooseLevels
    ) -> Set<Name> {
        let form = TwinForm(orphan.key.bytes)
        var names: Set<Name> = [.twin(form, bucket: orphan.bucket)]
        let readings = resolver.readings(of: orphan.key).filter { !$0.relative.isEmpty }
        for reading in readings {
            names.insert(.twin(TwinForm(reading.relative), bucket: nil))
            // Under an identity the same name is another's.
            guard reading.identity == nil else { continue }
            if let path = LoosePath(reading.relative) { names.insert(.path(path)) }
        }
        for reading in loose.readings(of: orphan.key, form) {
            names.insert(.twin(TwinForm(reading.relative), bucket: nil))
        }
        // It may stand in a value all the same, which protects it once that misses its object.
        for name in resolver.names(of: orphan.key).flatMap(FileName.loose(endOf:)) {
            names.insert(.file(name))
        }
        return names
    }

    // The name of a file tells nothing without its folder where many have it.
    private func tells(_ group: Group) -> Bool {
        group.orphans > 0 && (!group.isFile || group.orphans <= Self.few && !group.isCommon)
    }

    /// The keys that are to be looked at in a bucket, in their order.
    package func keys(in bucket: Int) -> [ObjectKey] {
        let wanted = groups.lazy.filter(tells).reduce(into: Set<Int>()) { $0.formUnion($1.meant) }
        var keys: Set<ObjectKey> = []
        for number in wanted where meant[number].isKnown {
            for own in meant[number].own where own.bucket == bucket { keys.insert(own.key) }
        }
        return keys.sorted()
    }

    /// What the looks tell: the keys whose objects are gone, so that references miss them, and of
    /// orphans, by their numbers, why it is not known whether one means them.
    package func told(
        by look: (WantedKey) -> HeadAnswer
    ) -> (gone: Set<WantedKey>, doubts: [Int: String]) {
        var gone: Set<WantedKey> = []
        var doubts: [Int: String] = [:]
        for (number, group) in groups.enumerated() where tells(group) {
            if group.isCommon {
                doubts[number] =
                    "more than \(Self.limit) records hold its name, and an inventory does not "
                    + "tell whether their own objects are there"
            }
            for other in group.meant.sorted() {
                switch standing(of: meant[other], look) {
                case .there: continue
                case .gone: gone.formUnion(meant[other].own)
                case .doubted(let doubt): doubts[number] = doubts[number] ?? doubt
                }
            }
        }
        guard !doubts.isEmpty else { return (gone, [:]) }
        return (
            gone,
            groupsOf.compactMapValues { own in own.lazy.compactMap { doubts[$0] }.first }
        )
    }

    private enum Standing {
        case there, gone
        case doubted(String)
    }

    private func standing(of meant: Meant, _ look: (WantedKey) -> HeadAnswer) -> Standing {
        let place = meant.place
        let name =
            "\(place.identity.model)/\(Quoted.bare(place.identity.id.joined)) \(place.field ?? "")"
        guard meant.isKnown else {
            return .doubted(
                "a record may mean it: an inventory does not tell whether the object that \(name) "
                    + "references is there")
        }
        var doubt: String?
        for answer in meant.own.map(look) {
            switch answer {
            case .present: return .there
            case .absent: continue
            case .unknown(let reason): doubt = reason
            }
        }
        return doubt.map {
            .doubted(
                "a record may mean it: the object that \(name) references could not be looked at: "
                    + $0)
        } ?? .gone
    }
}
