import MooringModel
import SeededNumbers
import Testing

@Suite("Sorting by the first bytes")
struct ReportOrderTests {
    @Test("Findings with any keys, buckets and ids come in the order that two of them have")
    func findings() {
        var random = SeededGenerator("ReportOrderTests.findings")
        for _ in 0..<300 {
            let heads = [[], Array("public/".utf8), Array("private/eu-central-1:".utf8)]
            let head = heads.randomElement(using: &random) ?? []
            let findings = (0..<Int.random(in: 0...60, using: &random)).map { number in
                finding(number, head, &random)
            }
            var sorted = findings
            sorted.sortForReports()
            #expect(sorted == findings.sorted(by: Finding.precedes))
        }
    }

    @Test("Texts come in the order of their bytes, and equal ones in theirs")
    func texts() {
        var random = SeededGenerator("ReportOrderTests.texts")
        for _ in 0..<300 {
            let texts = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                String(decoding: bytes(&random), as: UTF8.self)
            }
            let expected = texts.indices.sorted { one, other in
                let (own, others) = (Array(texts[one].utf8), Array(texts[other].utf8))
                return own == others ? one < other : own.lexicographicallyPrecedes(others)
            }
            #expect(texts.places(inOrderOf: { $0 }) == expected)
        }
    }

    @Test("Bytes of several groups come group by group, and equal ones in theirs")
    func groups() {
        var random = SeededGenerator("ReportOrderTests.groups")
        for _ in 0..<300 {
            let head = bytes(&random)
            let all = (0..<Int.random(in: 0...60, using: &random)).map { _ in
                (group: Int.random(in: -1...2, using: &random), bytes: head + bytes(&random))
            }
            let expected = all.indices.sorted { one, other in
                if all[one].group != all[other].group { return all[one].group < all[other].group }
                return all[one].bytes == all[other].bytes
                    ? one < other : all[one].bytes.lexicographicallyPrecedes(all[other].bytes)
            }
            #expect(all.places(inOrderOf: { $0.group }, { $0.bytes }) == expected)
        }
    }

    private func finding(
        _ number: Int, _ head: [UInt8], _ random: inout SeededGenerator
    ) -> Finding {
        var finding = Finding(
            id: "\(10_000 + number)",
            kind: FindingKind.allCases.randomElement(using: &random) ?? .orphan, cause: nil,
            verdict: .settled)
        finding.bucket = ["media", "archive", "Media", nil].randomElement(using: &random) ?? nil
        if Int.random(in: 0...9, using: &random) > 0 {
            finding.key = ObjectKey(head + bytes(&random))
        }
        return finding
    }

    // Few values, and about as many as are compared at once: so beginnings and equal ones come up,
    // and the end of one where another one goes on with zeros.
    private func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        (0..<Int.random(in: 0...11, using: &random)).map { _ in
            [0x00, 0x61, 0x80, 0xFF].randomElement(using: &random) ?? 0
        }
    }
}
