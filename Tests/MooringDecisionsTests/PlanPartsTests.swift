import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("Parts of a plan")
struct PlanPartsTests {
    private let levels = [
        AccessLevel(name: "guest", prefix: "public/"),
        AccessLevel(name: "private", prefix: "private/{identity}/"),
    ]

    private func planned(
        _ key: String?, record: RecordIdentity? = nil, born: Instant? = now, size: Int64 = 1
    ) -> PlannedStep {
        let step = PlanStep(
            id: "quarantine-aa", hash: "", strategy: .quarantine, finding: "aa",
            bucket: key.map { _ in "media" }, key: key.map { ObjectKey($0) },
            record: record.map { RecordPlace(identity: $0) },
            precondition: Precondition(object: born.map { Sample.version(born: $0, size: size) }))
        return PlannedStep(step, kind: .orphan, cause: nil)
    }

    private func names(_ grouping: PlanGrouping, _ steps: [PlannedStep]) -> [String?] {
        PlanParts(by: grouping, under: levels).split(steps).map { part in
            part.name.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    @Test("A prefix ends behind an identity, else behind the first part of the path")
    func prefixes() {
        for (key, prefix) in [
            ("private/eu:1/a/b.png", "media:private/eu:1/"),
            ("public/covers/a.png", "media:public/covers/"),
            ("public/a.png", "media:public/"), ("thumbs/x/a.png", "media:thumbs/"),
            ("a.png", "media:"), ("private/a.png", "media:private/"), ("/a", "media:/"),
        ] {
            #expect(names(.prefix, [planned(key)]) == [prefix], "\(key)")
        }
        #expect(names(.prefix, [planned(nil)]) == [nil])
    }

    @Test("Owners and models are told apart by their source, and keys by their bytes")
    func owners() {
        let song = Sample.identity("s1")
        let other = RecordIdentity(source: "phone", model: "Song", id: RecordID("s1"))
        let steps = [planned("a", record: song), planned("b", record: other), planned("c")]
        #expect(names(.owner, steps) == ["app Song/s1", "phone Song/s1", nil])
        #expect(names(.model, steps) == ["app Song", "phone Song", nil])
        let spellings = ["e\u{301}/a", "\u{E9}/a"].map { planned($0) }
        #expect(names(.prefix, spellings).count == 2)
    }

    @Test("Months come in their order, others with the most bytes first, and the rest last")
    func order() {
        let months = ["2026-03-01T00:00:00Z", "2026-02-28T23:59:59Z"].map { Instant(iso8601: $0) }
        let steps = [planned("z/1", born: nil)] + months.map { planned("a/1", born: $0, size: 9) }
        #expect(names(.month, steps) == ["2026-02", "2026-03", nil])
        let sizes = [planned("a/1", size: 1), planned("b/1", size: 5), planned("a/2", size: .max)]
        let parts = PlanParts(by: .prefix, under: levels).split(sizes)
        #expect(parts.map(\.bytes) == [.max, 5])
        #expect(parts.map(\.steps.count) == [2, 1])
    }

    @Test("Each step stands in exactly one part, in the plan's order")
    func partition() {
        var random = SeededGenerator("plan parts")
        let roots = ["public/", "private/eu:1/", "private/eu:2/", "", "x/", "x/y/"]
        for _ in 0..<100 {
            let steps = (0..<random.number(0...40)).map { number in
                planned(
                    roots[random.number(0...5)] + String(number),
                    record: random.number(0...2) == 0
                        ? nil : Sample.identity("s\(random.number(0...4))"),
                    born: now - .days(Int64(random.number(0...90))))
            }
            for grouping in PlanGrouping.allCases {
                let parts = PlanParts(by: grouping, under: levels).split(steps)
                #expect(Set(parts.map(\.name)).count == parts.count)
                let all = parts.flatMap(\.steps)
                #expect(all.count == steps.count && Set(all) == Set(steps))
                for part in parts { #expect(part.steps == steps.filter(Set(part.steps).contains)) }
            }
        }
    }
}
