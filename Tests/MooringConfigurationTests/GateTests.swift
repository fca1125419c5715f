import MooringConfiguration
import MooringModel
import Testing

struct GateTests {
    private static let kinds = FindingKind.allCases.map(\.rawValue).joined(separator: ", ")

    private func gates(_ texts: String...) throws -> [Gate] {
        let list = texts.map { "\"\($0)\"" }.joined(separator: ", ")
        return try Sample.read(Sample.with("gates: [\(list)]")).gates
    }

    @Test("each part of a gate is read")
    func parts() throws {
        let gate = try #require(gates("new.abandoned-upload.settled.bytes >= 1.5 MiB").first)
        #expect(
            gate
                == Gate(
                    text: "new.abandoned-upload.settled.bytes >= 1.5 MiB", newOnly: true,
                    kind: .abandonedUpload, verdict: .settled, countsBytes: true,
                    comparison: .atLeast, value: 1_572_864))
        let plain = try #require(gates("  orphan>12  ").first)
        #expect(plain.kind == .orphan && plain.verdict == nil && !plain.newOnly)
        #expect(plain.comparison == .greater && plain.value == 12)
        let share = try #require(gates("share( new.orphan.bytes ) <= 0.5%").first)
        #expect(share.share == 0.005 && share.newOnly && share.countsBytes)
        #expect(plain.share == nil)
        let comparisons = try gates(
            "orphan == 0", "orphan != 0", "orphan < 0", "orphan <= 0", "orphan > 0", "orphan >= 0")
        #expect(comparisons.map(\.comparison) == Gate.Comparison.allCases)
    }

    @Test(
        "what is no gate is refused, and where",
        arguments: [
            ("", 1, "needs one of ==, !=, <, <=, > or >=, such as 'dangling.settled == 0'"),
            ("orphan", 7, "needs one of ==, !=, <, <=, > or >=, such as 'dangling.settled == 0'"),
            (
                "orphan = 0", 8,
                "needs one of ==, !=, <, <=, > or >=, such as 'dangling.settled == 0'"
            ),
            (
                "orphan === 0", 8,
                "needs one of ==, !=, <, <=, > or >=, such as 'dangling.settled == 0'"
            ),
            ("orphans == 0", 1, "unknown kind 'orphans'; did you mean 'orphan'?"),
            ("  Orphan == 0", 3, "unknown kind 'Orphan'; did you mean 'orphan'?"),
            ("new == 0", 1, "unknown kind 'new'; known here: " + Self.kinds),
            ("new. == 0", 5, "unknown kind ''; known here: " + Self.kinds),
            ("orphan.setled == 0", 8, "unknown word 'setled'; did you mean 'settled'?"),
            (
                "orphan.bytes.settled < 1B", 8,
                "needs the form [new.]KIND[.VERDICT][.bytes] on the left"
            ),
            (
                "orphan.settled.explained == 0", 8,
                "needs the form [new.]KIND[.VERDICT][.bytes] on the left"
            ),
            (
                "orphan == 1GiB", 11,
                "needs a whole number on the right, or '.bytes' on the left; found '1GiB'"
            ),
            (
                "orphan == -1", 11,
                "needs a whole number on the right, or '.bytes' on the left; found '-1'"
            ),
            (
                "orphan ==", 10,
                "needs a whole number on the right, or '.bytes' on the left; found ''"
            ),
            (
                "orphan == 1 2", 11,
                "needs a whole number on the right, or '.bytes' on the left; found '1 2'"
            ),
            (
                "orphan.bytes < 100", 16,
                "'.bytes' needs a size with its unit, such as 17B, 1GB or 256MiB; found '100'"
            ),
            ("share orphan < 1%", 6, "share needs '('"),
            ("share(orphan < 1%", 13, "share( needs its ')'"),
            ("share(orphans) < 1%", 7, "unknown kind 'orphans'; did you mean 'orphan'?"),
            (
                "share(orphan) < 1", 17,
                "share() needs a share from 0% to 100%, such as 1% or 0.5%; found '1'"
            ),
            (
                "share(mapping-error) < 1%", 1,
                "share() is not of mapping-error, which is part of nothing"
            ),
        ])
    func refused(gate: String, character: Int, message: String) {
        #expect(
            Sample.refusal(Sample.with("gates: [\"\(gate)\"]"))
                == "mooring.yaml:10: the gate '\(gate)', character \(character): " + message)
    }
}
