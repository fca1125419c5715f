import MooringDecisions
import MooringModel
import MooringReporting

/// The orphans of identities that no record knows, summed by identity.
struct IdentitySums {
    private struct Sum {
        var count = 0
        var bytes: Int64 = 0
    }

    private let resolver: KeyResolver
    private var sums: [[UInt8]: Sum] = [:]

    /// Sums of nothing, under these levels.
    init(levels: [AccessLevel]) {
        resolver = KeyResolver(levels: levels)
    }

    /// Counts an orphan whose cause is that no record knows its identity, and no other finding.
    mutating func add(_ finding: Finding) {
        guard finding.kind == .orphan, finding.cause == .unknownIdentity, let key = finding.key,
            // Where the level goes on without a slash, several cuts fit: the longest, as in the
            // finding's own evidence.
            let identity = resolver.readings(of: key).compactMap(\.identity)
                .max(by: { $0.count < $1.count })
        else { return }
        sums[identity, default: Sum()].count += 1
        sums[identity, default: Sum()].bytes += finding.object?.size ?? 0
    }

    // The largest first; equal ones by their bytes.
    private var ordered: [(identity: [UInt8], sum: Sum)] {
        sums.map { (identity: $0.key, sum: $0.value) }.sorted { one, other in
            one.sum.bytes != other.sum.bytes
                ? one.sum.bytes > other.sum.bytes
                : one.identity.lexicographicallyPrecedes(other.identity)
        }
    }

    /// A line for each identity, and one for all.
    var lines: [String] {
        let rows = ordered.map { identity, sum in
            "\(FindingText.pad(VisibleText.ascii(identity, width: 60), 50))"
                + "\(Measure.count(sum.count, "orphan")), \(Measure.bytes(sum.bytes))"
        }
        let count = ordered.reduce(0) { $0 + $1.sum.count }
        let bytes = ordered.reduce(Int64(0)) { $0 + $1.sum.bytes }
        return rows + [
            "\(Measure.count(count, "orphan")), \(Measure.bytes(bytes)); identities that no record "
                + "knows: \(sums.count)"
        ]
    }

    /// The sums as one JSON array.
    var json: JSONValue {
        .array(
            ordered.map { identity, sum in
                let key = ObjectKey(identity)
                return .members([
                    "identity": .string(key.text),
                    "identityBase64": key.isValidUTF8 ? nil : .string(Base64.encode(identity)),
                    "count": .integer(Int64(sum.count)), "bytes": .integer(sum.bytes),
                ])
            })
    }
}
