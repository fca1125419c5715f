import MooringDecisions
import MooringModel
import MooringReconcile

extension Judging {
    /// Why everything below a missing object's prefix is thought to have vanished.
    static func text(_ vanished: VanishedReferences.Position) -> String {
        guard case .below(let prefix) = vanished else {
            return "so many prefixes miss objects that this one was not counted: look what "
                + "happened to the bucket"
        }
        let head = ObjectKey(prefix.head)
        return "of \(Measure.count(prefix.meant, "reference")) below \(Quoted.key(head)) only "
            + "\(prefix.present) still have their objects: most likely a folder or a disk is gone; "
            + "if an account was deleted, mooring erase says so, and if it is meant otherwise: "
            + acceptance(of: prefix)
    }

    // What a record's value names goes into a shell as one word, or not at all.
    private static func acceptance(of prefix: VanishedPrefix) -> String {
        guard let head = ShellWord.printable(prefix.head) else {
            return "mooring audit --accept vanished:PREFIX=\(prefix.missing), with a prefix that "
                + "can be typed"
        }
        let word = ShellWord.quoting("vanished:\(head)=\(prefix.missing)")
        return "mooring audit --accept \(word)"
    }
}

extension Judging {
    /// Why a value may mean a file of another server, or be one itself; nil where it is no address.
    static func addressDoubt(_ candidate: DanglingCandidate) -> String? {
        let colon = UInt8(ascii: ":")
        let scheme = String(decoding: candidate.value.prefix { $0 != colon }, as: UTF8.self)
        let rest = candidate.value.dropFirst(scheme.utf8.count)
        let isScheme =
            !scheme.isEmpty
            && scheme.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                    || "+.-".utf8.contains($0)
            }
        let isAddress =
            isScheme && rest.starts(with: "://".utf8)
            || ["data", "blob"].contains(scheme.lowercased()) && rest.count > 1
        return isAddress ? "its value is an address, which no bucket's listing tells of" : nil
    }
}

/// Missing references below whose values objects lie that nobody references: as a player's list of
/// segments, or an album's folder, the value stands for all of them.
struct FolderReferences {
    private var missed: [Int: Set<ByteText>] = [:]
    private var met: [Int: Set<ByteText>] = [:]

    /// Those of a scan.
    init(_ candidates: Candidates) {
        for candidate in candidates.dangling {
            guard let bucket = candidate.bucket else { continue }
            missed[bucket, default: []].formUnion(Self.folders(of: candidate))
        }
        guard !missed.isEmpty else { return }
        let lying =
            candidates.orphans.map { ($0.bucket, $0.object.key) }
            + candidates.quarantined.map { ($0.bucket, $0.object.key) }
        for (bucket, key) in lying {
            guard let folder = folder(of: key, bucket: bucket) else { continue }
            met[bucket, default: []].insert(folder)
        }
    }

    /// Why a missing reference may mean a folder; nil where nothing lies below it.
    func doubt(about candidate: DanglingCandidate) -> String? {
        guard let met = candidate.bucket.flatMap({ met[$0] }),
            Self.folders(of: candidate).contains(where: { met.contains($0) })
        else { return nil }
        return "objects lie below its value, as if it meant a folder"
    }

    /// The missed folder in which an object lies; nil where it lies in none.
    func folder(of key: ObjectKey, bucket: Int) -> ByteText? {
        guard let missed = missed[bucket] else { return nil }
        return key.bytes.indices.lazy.filter { key.bytes[$0] == UInt8(ascii: "/") }
            .map { ByteText(key.bytes[..<$0]) }.first { missed.contains($0) }
    }

    private static func folders(of candidate: DanglingCandidate) -> [ByteText] {
        candidate.patterns.compactMap { pattern in
            guard case .exact(let key) = pattern else { return nil }
            var folder = key.bytes[...]
            while folder.last == UInt8(ascii: "/") { folder = folder.dropLast() }
            return folder.isEmpty ? nil : ByteText(folder)
        }
    }
}

/// The beginnings of keys that references miss, up to each slash: what has such a key itself is no
/// plain object.
struct MissedBelow {
    private var folders: [Int: Set<ByteText>] = [:]

    /// Those of the dangling references of a scan.
    init(_ candidates: Candidates) {
        for candidate in candidates.dangling {
            guard let bucket = candidate.bucket else { continue }
            for case .exact(let key) in candidate.patterns {
                var length = key.bytes.count
                while let slash = key.bytes[..<length].lastIndex(of: UInt8(ascii: "/")),
                    slash > 0,
                    folders[bucket, default: []].insert(ByteText(key.bytes[..<slash])).inserted
                {
                    length = slash
                }
            }
        }
    }

    /// Whether a reference misses something below a key.
    func contains(_ key: ObjectKey, bucket: Int) -> Bool {
        folders[bucket]?.contains(ByteText(key.bytes[...])) ?? false
    }
}
