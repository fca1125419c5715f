import MooringDecisions
import MooringModel
import Testing

@Suite("Writes that wait in a device's outbox")
struct OutboxRuleTests {
    private let write = PendingWrite(
        device: "phone", model: "Song", record: [115], act: "update", madeAt: now - .days(90))

    @Test("are explained for as long as the outbox holds them, also under bounds of nothing")
    func copies() {
        for bounds in [RaceBounds(), RaceBounds(uploadWindow: .zero, staleWindow: .zero)] {
            let judge = CopyJudge(race: RaceModel(bounds: bounds), now: now)
            let judgement = judge.judge(CopyFacts(cause: .pending, authority: .awaiting(write)))
            #expect(judgement.verdict == .explained)
            #expect(judgement.cause == .pending)
            #expect(judgement.explanation?.workflow == "write offline")
            #expect(judgement.proofs == nil)
        }
    }

    @Test("explain the orphan that they name, but not one that is in doubt")
    func orphans() {
        let race = RaceModel(bounds: RaceBounds())
        let object = ObjectVersion(size: 1, etag: "e", lastModified: now - .days(90))
        for (claims, verdict) in [([], Verdict.explained), (["somebody may mean it"], .undecided)] {
            let facts = OrphanFacts(
                object: object, firstSight: now, owners: [], doubts: [], claims: claims,
                sighting: nil)
            var judgement = OrphanJudge(race: race, now: now).judge(facts)
            OutboxRule(race: race, now: now).explain(orphan: &judgement, by: [])
            #expect(judgement.verdict == (claims.isEmpty ? .settled : .undecided))
            OutboxRule(race: race, now: now).explain(orphan: &judgement, by: [write])
            #expect(judgement.verdict == verdict)
            #expect(judgement.evidence.last == .inOutbox(write))
            #expect((judgement.explanation?.until ?? now + .days(9)) > now)
        }
        #expect(Evidence.inOutbox(write).text.contains("the outbox of 'phone' holds a write"))
    }
}

@Suite("Values that a copy takes over")
struct CopiedValueTests {
    private func refreshed(_ value: FieldValue, over held: FieldValue) throws -> FieldValue? {
        let mapping = ModelMapping(model: "Song", version: "v")
        let reader = try #require(RecordReader(mapping: mapping, columns: ["id", "v"]))
        func reading(_ version: Int64) throws -> RecordReading {
            try #require(reader.read([.text([115]), .integer(version)]))
        }
        let change = CopyChange.refreshing(
            try reading(1), by: try reading(2), mapping: mapping,
            row: ["v": .integer(1), "x": held], wanted: ["v": .integer(2), "x": value])
        return change?.assignments.first { $0.column == "x" }?.value
    }

    private func text(_ text: String) -> FieldValue { .text(Array(text.utf8)) }
    private func json(_ text: String) -> FieldValue { .json(Array(text.utf8)) }

    @Test("are written in the form in which the copy holds values, and not where they say the same")
    func forms() throws {
        #expect(try refreshed(json(#"["a"]"#), over: text(#"["b"]"#)) == text(#"["a"]"#))
        #expect(try refreshed(json(#"["a"]"#), over: .null) == text(#"["a"]"#))
        #expect(try refreshed(json(#"["a"]"#), over: json(#"["b"]"#)) == json(#"["a"]"#))
        #expect(
            try refreshed(json(#"{"a":1,"b":[2]}"#), over: text(#"{ "b": [2], "a": 1 }"#)) == nil)
        #expect(try refreshed(text(#"["a"]"#), over: json(#"[ "a" ]"#)) == nil)
        #expect(try refreshed(json("true"), over: .integer(0)) == .integer(1))
        let set = FieldValue.attribute(Array(#"{"SS":["a"]}"#.utf8))
        #expect(try refreshed(set, over: text(#"["b"]"#)) == text(#"["a"]"#))
        #expect(try refreshed(text("a"), over: text("a")) == nil)
        // An attribute that the authority's record lost is nothing in the copy as well.
        #expect(try refreshed(.absent, over: text("a")) == .null)
        #expect(try refreshed(.absent, over: .null) == nil)
    }
}
