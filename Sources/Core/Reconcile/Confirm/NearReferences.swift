package import MooringDecisions
package import MooringModel
import MooringText

/// References that may mean orphans under another name, as soon as their own objects are gone.
///
/// A listing of now tells which objects are missing, and pass B what each missing reference may
/// mean elsewhere. An inventory tells what was there: of what it lists only that is looked at by
/// name whose reference may mean an orphan. It errs to more of them: they cost a look each.
package struct NearReferences: Sendable {
    // What a reference and an orphan may have in common.
    private enum Name: Hashable {
        // A spelling of the value under any level, or of a whole key in one bucket.
        case twin(TwinForm, bucket: Int?)
        case path(LoosePath)
        case file(String)

        var isFile: Bool { if case .file = self { true } else { false } }
    }

    private struct Group: Sendable {
        var orphans: [Int] = []
        // What the references mean themselves, one key of each has to be there, with the first
        // reference's place.
        var own: [[WantedKey]: RecordPlace] = [:]
        // The first reference whose own places cannot all be looked at.
        var hidden: RecordPlace?
        var isCommon = false
    }

    /// So many objects are looked at for one name.
    package static let limit = 1_000
    // A file's name that more orphans have tells of none of them, as `SpellingIndex` has it.
    private static let few = 8

    private let models: [SourceModel]
    private let resolver: KeyResolver
    private let forms: TextForms
    private let buckets: Set<Int>
    private var numbers: [Name: Int] = [:]
    private var groups: [Group] = []
    private var twins = TailFilter()
    private var names = NameFilter()

    /// Those of these orphans, among references to these buckets.
    package init(
        to orphans: [WantedKey], in buckets: Set<Int>, models: [SourceModel],
        resolver: KeyResolver
    ) {
        self.models = models
        self.resolver = resolver
        self.buckets = buckets
        let forms = TextForms(foldsPaths: false)
        self.forms = forms
        let loose = LooseLevels(resolver)
        let found = Cores.each(orphans.count) { Self.names(of: orphans[$0], resolver, loose) }
        for (orphan, own) in found.enumerated() {
            for name in own {
                let number = numbers[name] ?? groups.count
                if number == groups.count {
                    numbers[name] = number
                    groups.append(Group())
                }
                groups[number].orphans.append(orphan)
            }
        }
        twins = TailFilter(
            numbers.keys.compactMap { name in
                if case .twin(let form, _) = name { form } else { nil }
            }, resolver)
        for name in numbers.keys {
            switch name {
            case .twin: continue
            case .path(let path): if let plain = path.plainName { names.insert(plain) }
            case .file(let text): names.insert(text.utf8)
            }
        }
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
        guard readings.allSatisfy({ $0.identity == nil }) else { return names }
        for name in resolver.names(of: orphan.key).flatMap(FileName.loose(endOf:)) {
            names.insert(.file(name))
        }
        return names
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
        var whole = NameFilter.seed
        FileName.squashed(ascii: UnsafeBufferPointer(rebasing: value[start...])) {
            whole = NameFilter.step(whole, $0)
        }
        return names.mayHold(whole) || SpellingFilter(names: names, isOff: false).mayHold(value)
    }

    /// Takes a reference whose object was listed.
    mutating func take(
        _ reference: StoredReference, of reading: RecordReading, model: Int, _ meant: MeantPlaces
    ) {
        guard let bucket = meant.bucket, buckets.contains(bucket) else { return }
        let mapping = models[model].mapping
        let candidate = DanglingCandidate(
            model: model,
            place: RecordPlace(
                identity: RecordIdentity(
                    source: models[model].source, model: mapping.model, id: reading.id),
                field: mapping.files[reference.field].field, index: reference.index,
                version: reading.version),
            field: reference.field, bucket: bucket, foreignBucket: nil, value: reference.value,
            stored: mapping.files[reference.field].stored, patterns: meant.patterns, indexes: [],
            changed: nil)
        let own = meant.patterns.compactMap { pattern -> WantedKey? in
            guard case .exact(let key) = pattern else { return nil }
            return WantedKey(bucket: bucket, key: key)
        }
        for name in names(of: candidate, isTombstone: reading.isTombstone) {
            guard let number = numbers[name] else { continue }
            add(own, candidate, to: number, isFile: name.isFile)
        }
    }

    // As `MeaningIndex` and `SpellingIndex` have them; a tombstone protects twins alone.
    private func names(of candidate: DanglingCandidate, isTombstone: Bool) -> Set<Name> {
        var names: Set<Name> = []
        var keys: [[UInt8]] = []
        for case .exact(let key) in candidate.patterns {
            keys.append(key.bytes)
            names.insert(.twin(TwinForm(key.bytes), bucket: candidate.bucket))
        }
        guard !isTombstone else { return names }
        for name in resolver.ownNames(of: candidate) + resolver.names(in: candidate) {
            names.insert(.twin(TwinForm(name), bucket: nil))
        }
        names.formUnion(LoosePath.all(in: candidate.value, forms).map(Name.path))
        names.formUnion(keys.compactMap { LoosePath($0) }.map(Name.path))
        for name in FileName.loose(endOf: candidate.value) { names.insert(.file(name)) }
        return names
    }

    private mutating func add(
        _ own: [WantedKey], _ candidate: DanglingCandidate, to number: Int, isFile: Bool
    ) {
        if isFile, groups[number].orphans.count > Self.few { return }
        guard own.count == candidate.patterns.count else {
            if groups[number].hidden == nil { groups[number].hidden = candidate.place }
            return
        }
        if groups[number].own[own] != nil || groups[number].isCommon { return }
        groups[number].own[own] = candidate.place
        guard groups[number].own.count > Self.limit else { return }
        groups[number].own = [:]
        groups[number].isCommon = true
        // The name of a file that so many have tells nothing without its folder.
        if isFile { groups[number].orphans = [] }
    }
}

extension NearReferences {
    /// The keys that are to be looked at in a bucket, in their order.
    package func keys(in bucket: Int) -> [ObjectKey] {
        var keys: Set<ObjectKey> = []
        for own in groups.lazy.flatMap(\.own.keys).joined() where own.bucket == bucket {
            keys.insert(own.key)
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
        for group in groups {
            var doubt: String?
            if group.isCommon {
                doubt =
                    "more than \(Self.limit) records hold its name, and an inventory does not "
                    + "tell whether their own objects are there"
            } else if let place = group.hidden {
                doubt =
                    "a record may mean it: an inventory does not tell whether the object that "
                    + "\(Self.text(place)) references is there"
            }
            for (own, place) in group.own {
                let answers = own.map(look)
                if answers.contains(where: \.isPresent) { continue }
                let reason = answers.lazy.compactMap(\.reason).first
                guard let reason else {
                    gone.formUnion(own)
                    continue
                }
                doubt =
                    "a record may mean it: the object that \(Self.text(place)) references could "
                    + "not be looked at: \(reason)"
            }
            guard let doubt else { continue }
            for orphan in group.orphans { doubts[orphan] = doubt }
        }
        return (gone, doubts)
    }

    private static func text(_ place: RecordPlace) -> String {
        "\(place.identity.model)/\(Quoted.bare(place.identity.id.joined)) \(place.field ?? "")"
    }
}

extension HeadAnswer {
    fileprivate var isPresent: Bool { if case .present = self { true } else { false } }

    fileprivate var reason: String? { if case .unknown(let reason) = self { reason } else { nil } }
}
