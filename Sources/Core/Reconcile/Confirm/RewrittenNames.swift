import MooringDecisions
import MooringModel

/// Finds wanted keys that a zip, another code page or a system without some characters may have
/// made of missing references' keys, in the same folder of the same bucket.
///
/// What is ASCII stays as it is by any of them, so that the letters before the first foreign one
/// and behind the last are the same. They are an index of the missing references; the wanted keys
/// pass by it one after the other.
struct RewrittenNames {
    /// Which missing reference and which wanted key may be one.
    private(set) var pairs: [(missing: Int, wanted: Int)] = []

    // Missing references of one key.
    private struct Member {
        let shape: NameShape
        let plain: NameShape
        let numbers: [Int]
        var found: [Int] = []
        var count = 0
    }

    // Those of one folder with the same letters before and behind the foreign ones.
    private struct Group {
        var members: [Member] = []
        var writings: Set<UInt32> = []
        // Wanted keys that may be any of them, where they are too many to compare each.
        var any: [Int] = []
    }

    // What stands before the first foreign letter, with what stands behind the last.
    private struct Heads {
        var groups: [UInt64: [UInt64: Int]] = [:]
        var folders: Set<UInt64> = []
    }

    // The keys of a bucket with foreign letters, or those in which `_` may stand for one.
    private struct Course: Hashable {
        let bucket: Int
        let isBlanked: Bool
    }

    private var groups: [Group] = []
    private var heads: [Course: Heads] = [:]
    private var letters: [WantedKey: [[UInt8]]] = [:]

    private static let slash = UInt8(ascii: "/")
    private static let colon = UInt8(ascii: ":")
    // So many of a name are told apart by nobody, unless as many are missing.
    private static let few = 8
    // So many are compared one by one.
    private static let most = 64
    // So many letters tell a name from others.
    private static let telling = 4

    /// The pairs among these.
    init(_ dangling: [DanglingCandidate], _ wanted: [WantedKey]) {
        guard !dangling.isEmpty, !wanted.isEmpty else { return }
        var missing: [WantedKey: [Int]] = [:]
        // Of many that are alike the first few count: the same ones in every run.
        var order: [WantedKey] = []
        for (number, candidate) in dangling.enumerated() {
            guard let bucket = candidate.bucket else { continue }
            for case .exact(let key) in candidate.patterns {
                let own = WantedKey(bucket: bucket, key: key)
                if missing[own] == nil { order.append(own) }
                missing[own, default: []].append(number)
            }
        }
        for key in order { add(key, missing[key] ?? []) }
        for (number, key) in wanted.enumerated() {
            for other in letters[Self.letters(of: key)] ?? []
            where Self.differInSigns(other, key.key.bytes) {
                let same = missing[WantedKey(bucket: key.bucket, key: ObjectKey(other))] ?? []
                pairs += same.map { ($0, number) }
            }
            meet(key.key.bytes, number, key.bucket)
        }
        for group in groups { settle(group) }
    }

    /// The same, by the keys as they are, and as they were without what each layout puts before
    /// values.
    static func pairs(
        _ dangling: [DanglingCandidate], _ wanted: [WantedKey], _ resolver: KeyResolver
    ) -> [(missing: Int, wanted: Int)] {
        RewrittenNames(dangling, wanted).pairs
            + resolver.layouts.flatMap { layout in
                let missing = dangling.map { candidate in
                    var candidate = candidate
                    candidate.patterns = candidate.patterns.flatMap {
                        candidate.stored == layout ? resolver.unlaid($0, by: layout) : [$0]
                    }
                    return candidate
                }
                let others = wanted.map { key -> WantedKey in
                    guard
                        case .exact(let plain) = resolver.unlaid(.exact(key.key), by: layout).first
                    else { return key }
                    return WantedKey(bucket: key.bucket, key: plain)
                }
                return RewrittenNames(missing, others).pairs
            }
    }

    // MARK: Missing references

    private mutating func add(_ key: WantedKey, _ numbers: [Int]) {
        let bytes = key.key.bytes
        let letters = Self.letters(of: key)
        if self.letters[letters, default: []].count < Self.few {
            self.letters[letters, default: []].append(bytes)
        }
        let shape = NameShape(bytes)
        if shape.foreign > 0 {
            add(
                Member(shape: shape, plain: shape, numbers: numbers),
                Course(bucket: key.bucket, isBlanked: false))
        } else if bytes.contains(UInt8(ascii: "_")) {
            let blank = NameShape(bytes, blanks: true)
            add(
                Member(shape: blank, plain: shape, numbers: numbers),
                Course(bucket: key.bucket, isBlanked: true))
        }
    }

    private mutating func add(_ member: Member, _ course: Course) {
        let bytes = member.shape.bytes
        guard let first = bytes.firstIndex(of: NameShape.mark),
            let last = bytes.lastIndex(of: NameShape.mark)
        else { return }
        let folder = bytes[..<first].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        heads[course, default: Heads()].folders.insert(Self.hash(bytes[..<folder]))
        let (head, tail) = (
            Self.hash(bytes[..<first]), Self.hash(bytes[(last + 1)...].reversed())
        )
        let number = heads[course]?.groups[head]?[tail] ?? groups.count
        if number == groups.count {
            groups.append(Group())
            heads[course]?.groups[head, default: [:]][tail] = number
        }
        groups[number].members.append(member)
        groups[number].writings.formUnion(member.shape.writings)
    }

    // MARK: Wanted keys

    private mutating func meet(_ key: [UInt8], _ number: Int, _ bucket: Int) {
        guard !heads.isEmpty else { return }
        let shape = NameShape(key)
        for isBlanked in [false, true] where !isBlanked || shape.foreign > 0 {
            guard let index = heads[Course(bucket: bucket, isBlanked: isBlanked)] else { continue }
            for group in Self.groups(of: shape, in: index) { offer(shape, number, to: group) }
        }
    }

    // Those whose letters stand at both ends; a folder that none of them lies in ends the search.
    private static func groups(of shape: NameShape, in index: Heads) -> [Int] {
        let bytes = shape.bytes
        var found: [Int] = []
        var tails: [UInt64]?
        var hash = Self.seed
        var isOpen = index.folders.contains(hash)
        for place in 0...bytes.count {
            if isOpen, let groups = index.groups[hash] {
                let ends = tails ?? Self.hashes(ofEndsOf: bytes)
                tails = ends
                for length in 0...(bytes.count - place) {
                    if let group = groups[ends[length]] { found.append(group) }
                }
            }
            guard place < bytes.count else { break }
            hash = Self.step(hash, bytes[place])
            if bytes[place] == slash { isOpen = index.folders.contains(hash) }
        }
        return found
    }

    private mutating func offer(_ shape: NameShape, _ number: Int, to place: Int) {
        let writings = groups[place].writings
        if groups[place].members.count > Self.most {
            if shape.isRaw || !shape.writings.isSubset(of: writings) {
                groups[place].any.append(number)
            }
            return
        }
        for index in groups[place].members.indices {
            let member = groups[place].members[index]
            guard Self.mayBeOne(member.shape, member.plain, shape) else { continue }
            groups[place].members[index].count += 1
            if member.found.count < 2 * Self.most {
                groups[place].members[index].found.append(number)
            }
        }
    }

    private static func mayBeOne(
        _ missing: NameShape, _ plain: NameShape, _ wanted: NameShape
    ) -> Bool {
        guard missing.mayBecome(wanted) || wanted.mayBecome(plain) else { return false }
        let (letters, isTelling) = (missing.letters, missing.letters >= telling)
        guard wanted.foreign == 0 else {
            return isTelling && missing.foreign != wanted.foreign
                || missing.isOtherWriting(wanted)
        }
        // Of a short name some letters are left, or nothing is but signs in place of its letters.
        let others = missing.bytes.count - missing.foreign
        return isTelling || wanted.bytes.count == others
            || letters > 0 && wanted.bytes.count <= others + 2 * missing.foreign
    }

    private mutating func settle(_ group: Group) {
        let missing = group.members.count
        for member in group.members where member.count <= max(Self.few, 2 * missing) {
            for number in member.numbers { pairs += member.found.map { (number, $0) } }
        }
        let count = group.any.count
        guard count > 0, count <= 2 * missing, missing <= 2 * count else { return }
        for index in 0..<max(count, missing) {
            for number in group.members[index % missing].numbers {
                pairs.append((number, group.any[index % count]))
            }
        }
    }

    // MARK: Signs between letters

    // The key without signs, in lower case, but for slashes.
    private static func letters(of key: WantedKey) -> WantedKey {
        let letters = key.key.bytes.compactMap { byte -> UInt8? in
            switch byte {
            case 0x41...0x5A: byte | 0x20
            case 0x30...0x39, 0x61...0x7A, 0x80..., slash: byte
            default: nil
            }
        }
        return WantedKey(bucket: key.bucket, key: ObjectKey(letters))
    }

    // A colon is what other systems have no place for; else signs stand at the same places.
    private static func differInSigns(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one != other
            && (one.contains(colon) || other.contains(colon) || parted(one) == parted(other))
    }

    private static func parted(_ key: [UInt8]) -> [UInt8] {
        key.map { byte in
            switch byte {
            case 0x41...0x5A: byte | 0x20
            case 0x30...0x39, 0x61...0x7A, 0x80..., slash: byte
            default: UInt8(ascii: ".")
            }
        }
    }

    // MARK: Hashes

    // FNV-1a, by which a byte more is one step. What it takes for equal is compared afterwards, or
    // counted at most.
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
        (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(seed, step)
    }

    // By the length of each end.
    private static func hashes(ofEndsOf bytes: [UInt8]) -> [UInt64] {
        var hashes = [seed]
        hashes.reserveCapacity(bytes.count + 1)
        for byte in bytes.reversed() { hashes.append(step(hashes[hashes.count - 1], byte)) }
        return hashes
    }
}
