import MooringDecisions
import MooringModel
import MooringReconcile

extension JudgeStage {
    /// What speaks against calling an object an orphan, one sentence each.
    func doubts(
        about number: Int, derived: DerivedObjects, missed: MissedBelow
    ) -> [String] {
        let candidate = observations.orphans[number]
        var doubts: [String] = []
        if let target = observations.links.target(
            of: candidate.object.key, bucket: candidate.bucket)
        {
            doubts.append("a symbolic link, or a mount, leads to \(Shown.key(target))")
        }
        if let doubt = candidate.object.doubt { doubts.append(doubt) }
        if missed.contains(candidate.object.key, bucket: candidate.bucket) {
            doubts.append(
                "references mean keys below it, as if it were a folder: most likely it stands for "
                    + "a folder that is not mounted")
        }
        if let source = derived.source(of: number) {
            doubts.append("it is derived from \(Shown.key(source)), which is there")
        }
        if confirmation.scan.ownersCutOff(of: number) {
            doubts.append("its key may name more owners than were looked for")
        }
        if let near = confirmation.scan.nearOwner(of: number) {
            doubts.append(
                "no record is spelt as its key names it, but \(near.model) "
                    + "\(Shown.text(near.id.joined)) is spelt alike")
        }
        return doubts
    }

    /// Why everything below a missing object's prefix is thought to have vanished; nil where it is
    /// not.
    func vanishedReason(of number: Int) -> String? {
        if observations.vanished.uncounted.contains(number) {
            return "so many prefixes miss objects that this one was not counted: look what "
                + "happened to the bucket"
        }
        guard let place = observations.vanished.places[number] else { return nil }
        let prefix = observations.vanished.prefixes[place]
        let head = ObjectKey(prefix.head)
        return "of \(Measure.count(prefix.meant, "reference")) below \(Shown.key(head)) only "
            + "\(prefix.present) still have their objects: most likely a folder or a disk is gone; "
            + "if an account was deleted, mooring erase says so, and if it is meant otherwise: "
            + Self.acceptance(of: prefix)
    }

    // What a record's value names goes into a shell as one word, or not at all.
    private static func acceptance(of prefix: VanishedPrefix) -> String {
        guard let head = ShellWord.printable(prefix.head) else {
            return "mooring audit --accept vanished:PREFIX=\(prefix.dangling), with a prefix that "
                + "can be typed"
        }
        let word = ShellWord.quoting("vanished:\(head)=\(prefix.dangling)")
        return "mooring audit --accept \(word)"
    }
}

/// The beginnings of keys that references miss, up to each slash: what has such a key itself is no
/// plain object.
struct MissedBelow {
    private var folders: [Int: Set<ArraySlice<UInt8>>] = [:]

    /// Those of the dangling references of a scan.
    init(_ observations: Observations) {
        for candidate in observations.dangling {
            guard let bucket = candidate.bucket else { continue }
            for case .exact(let key) in candidate.patterns {
                var length = key.bytes.count
                while let slash = key.bytes[..<length].lastIndex(of: UInt8(ascii: "/")),
                    slash > 0,
                    folders[bucket, default: []].insert(key.bytes[..<slash]).inserted
                {
                    length = slash
                }
            }
        }
    }

    /// Whether a reference misses something below a key.
    func contains(_ key: ObjectKey, bucket: Int) -> Bool {
        folders[bucket]?.contains(key.bytes[...]) ?? false
    }
}
