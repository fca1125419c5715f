import MooringDecisions
import MooringModel
import MooringText

/// Which objects missing references may spell in another way: without the ending of the file's
/// name, with a query and another case at once, by a path of another system, with the letters that
/// a zip or another code page makes of its own.
///
/// It holds the missing references and the wanted keys; the objects that records reference are
/// offered one after the other and forgotten.
struct SpellingIndex: Sendable {
    private let dangling: [DanglingCandidate]
    private let resolver: KeyResolver
    private let textForms: TextForms
    // The missing references that may spell a path, with what they are in other indexes.
    private var spelt = SpeltPaths([])
    private let wantedKeys: [WantedKey]
    // By their paths, and below identities by the paths there; made when a value that is no key is
    // met first.
    private lazy var wanted = byPath { paths(of: $0) }
    private lazy var owned = byPath { ownPaths(of: $0) }
    private var wantedOf: [Int: Set<Int>] = [:]
    private var rewritten: Set<Int> = []
    // The missing references that may be the end of a longer path, by their bytes.
    private var tails = SpeltPaths([])
    // The last parts of the paths that are ASCII alone.
    private var names = SpellingFilter()
    // Which missing reference and which wanted key may be one file, unless their owners differ.
    private var rivals: [(dangling: Int, wanted: Int, isRewritten: Bool)] = []

    private static let slash = UInt8(ascii: "/")
    /// A name that more files have is a common one, and tells of none of them.
    private static let few = 8

    /// An index of these references, whose values have these forms, and keys; nothing is asked of
    /// it before it is settled.
    init(
        _ missing: MissingValues, _ wanted: [WantedKey], resolver: KeyResolver,
        forms textForms: TextForms
    ) {
        dangling = missing.dangling
        names = SpellingFilter(isOff: !resolver.cutsAtSlashes)
        wantedKeys = wanted
        self.resolver = resolver
        self.textForms = textForms
        addSpelt(missing)
        Cores.each(wanted.count) { number in
            Set(paths(of: wanted[number].key).flatMap { spelt.numbers(at: ValueHash($0)) })
        } take: { number, others in
            for other in others { wantedOf[other, default: []].insert(number) }
        }
        addNames(wanted)
        addUnowned(wanted)
    }

    /// Adds what `RewrittenNames` tells of the same references and keys, before all is settled.
    mutating func add(_ rewritten: [(missing: Int, wanted: Int)]) {
        rivals += rewritten.map { ($0.missing, $0.wanted, true) }
    }

    private mutating func addSpelt(_ missing: MissingValues) {
        var (spelt, tails): ([SpeltPaths.Entry], [SpeltPaths.Entry]) = ([], [])
        for (number, candidate) in dangling.enumerated() {
            let form = ValueHash(missing.forms[number])
            for path in paths(of: candidate) {
                spelt.append(SpeltPaths.Entry(path: ValueHash(path), form: form, number: number))
                if let name = path.plainName { names.insert(name) }
            }
            let value = candidate.value
            let tail = value.first == Self.slash ? Array(value.drop { $0 == Self.slash }) : value
            if tail.count >= NeedleIndex.freeLength {
                tails.append(SpeltPaths.Entry(path: ValueHash(tail), form: form, number: number))
            }
        }
        (self.spelt, self.tails) = (SpeltPaths(spelt), SpeltPaths(tails))
    }

    /// Settles which missing references may spell wanted keys by their names alone. Where both name
    /// their owners, `belongs` tells whether the two may be one file's.
    mutating func settle(belongs: (_ dangling: Int, _ wanted: Int) -> Bool) {
        for rival in rivals where belongs(rival.dangling, rival.wanted) {
            let isNew = wantedOf[rival.dangling, default: []].insert(rival.wanted).inserted
            if isNew, rival.isRewritten { rewritten.insert(rival.dangling) }
        }
        rivals = []
    }

    // A file that was moved to another folder keeps its name.
    private mutating func addNames(_ wanted: [WantedKey]) {
        guard !wanted.isEmpty, !dangling.isEmpty else { return }
        var missing: [String: [Int]] = [:]
        for (number, candidate) in dangling.enumerated() {
            for name in FileName.loose(endOf: candidate.value) {
                missing[name, default: []].append(number)
            }
        }
        var bearers: [String: [Int]] = [:]
        Cores.each(wanted.count) { number -> Set<String> in
            let key = wanted[number].key
            guard resolver.readings(of: key).allSatisfy({ $0.identity == nil }) else { return [] }
            return Set(resolver.names(of: key).flatMap { FileName.loose(endOf: $0) })
                .filter { missing[$0] != nil }
        } take: { number, names in
            for name in names { bearers[name, default: []].append(number) }
        }
        for (name, numbers) in bearers where numbers.count <= Self.few {
            let others = missing[name] ?? []
            guard Set(others.map { dangling[$0].value }).count <= Self.few else { continue }
            for other in others {
                rivals += numbers.map { (dangling: other, wanted: $0, isRewritten: false) }
            }
        }
    }

    // A reference whose record's identity is not known may spell a key below any identity.
    private mutating func addUnowned(_ wanted: [WantedKey]) {
        var missing: [LoosePath: [Int]] = [:]
        for (number, candidate) in dangling.enumerated()
        where candidate.patterns.contains(where: Self.isUnowned) {
            for path in LoosePath.all(in: candidate.value, textForms) {
                missing[path, default: []].append(number)
            }
        }
        guard !missing.isEmpty else { return }
        var bearers: [LoosePath: [Int]] = [:]
        Cores.each(wanted.count) { number in
            ownPaths(of: wanted[number].key).filter { missing[$0] != nil }
        } take: { number, paths in
            for path in paths { bearers[path, default: []].append(number) }
        }
        for (path, numbers) in bearers where numbers.count <= Self.few {
            for other in missing[path] ?? [] {
                rivals += numbers.map { (dangling: other, wanted: $0, isRewritten: false) }
            }
        }
    }

    private static func isUnowned(_ pattern: KeyPattern) -> Bool {
        if case .anyIdentity = pattern { true } else { false }
    }

    private func paths(of candidate: DanglingCandidate) -> Set<LoosePath> {
        var paths = LoosePath.all(in: candidate.value, textForms)
        for case .exact(let key) in candidate.patterns {
            if let path = LoosePath(key.bytes) { paths.insert(path) }
        }
        return paths
    }

    // Under an identity the same name is another's: there the full key alone is compared.
    private func paths(of key: ObjectKey) -> Set<LoosePath> {
        Set(
            resolver.readings(of: key).filter { $0.identity == nil }
                .compactMap { LoosePath($0.relative) })
    }

    // The paths below an identity that a key may lie at.
    private func ownPaths(of key: ObjectKey) -> Set<LoosePath> {
        Set(
            resolver.readings(of: key).filter { $0.identity != nil }
                .compactMap { LoosePath($0.relative) })
    }

    /// The wanted keys that a missing reference may spell.
    func wanted(by number: Int) -> Set<Int> { wantedOf[number] ?? [] }

    /// What is said of a missing reference that may spell another key.
    func doubt(about number: Int) -> String {
        rewritten.contains(number)
            ? "its file may be there by another name, as a zip, another code page or another "
                + "system writes it"
            : "its value holds the key of an object that is there"
    }

    /// The wanted keys that a value which is no key may spell, of a record with this identity, or
    /// with one that is not known.
    mutating func wanted(in value: [UInt8], identity: [UInt8]?) -> Set<Int> {
        guard !wantedKeys.isEmpty, !value.isEmpty else { return [] }
        let paths = LoosePath.all(in: value, textForms)
        let found = Set(paths.flatMap { wanted[ValueHash($0)] })
        let owned = Set(paths.flatMap { self.owned[ValueHash($0)] })
        guard let identity, !identity.isEmpty else {
            return owned.count <= Self.few ? found.union(owned) : found
        }
        return found.union(
            owned.filter { number in
                resolver.readings(of: wantedKeys[number].key).contains { $0.identity == identity }
            })
    }

    private func byPath(_ paths: (ObjectKey) -> Set<LoosePath>) -> HashedNumbers {
        var wanted: [(hash: ValueHash, number: Int)] = []
        Cores.each(wantedKeys.count) {
            paths(wantedKeys[$0].key).map { ValueHash($0) }
        } take: { number, paths in
            for path in paths { wanted.append((path, number)) }
        }
        return HashedNumbers(wanted)
    }

    /// The missing references that may spell an object which records reference, but for those that
    /// mean it by the same value, or a twin of it: that is told elsewhere. Each is given once.
    mutating func spelling(_ key: ObjectKey) -> [Int] {
        guard let filter, key.bytes.withUnsafeBufferPointer(filter.mayHold) else { return [] }
        let readings = resolver.readings(of: key)
        let known = Set(readings.map { ValueHash(TwinForm($0.relative)) })
        var found: [Int] = []
        for path in paths(of: key) { found += spelt.take(at: ValueHash(path), but: known) }
        return found + ends(of: key, readings)
    }

    // The missing references that a key ends in: newer records may hold the name alone, and a
    // folder may have moved into another one. Under an identity the same name is another's.
    private mutating func ends(of key: ObjectKey, _ readings: [KeyReading]) -> [Int] {
        guard readings.allSatisfy({ $0.identity == nil }) else { return [] }
        var found: [Int] = []
        for place in key.bytes.indices where key.bytes[place] == Self.slash {
            let tail = Array(key.bytes[(place + 1)...])
            // By the same value it is told elsewhere.
            guard !readings.contains(where: { $0.relative == tail }) else { continue }
            found += tails.take(at: ValueHash(tail))
        }
        return found
    }

    /// Tells of most keys that no missing reference spells them; nil where none is missing.
    var filter: SpellingFilter? {
        spelt.isEmpty ? nil : names
    }
}
