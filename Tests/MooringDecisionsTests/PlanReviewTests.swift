import MooringModel
import SeededNumbers
import Testing

@testable import MooringDecisions

@Suite("What people's words make of a plan")
struct PlanReviewTests {
    private typealias Change = (inout PlanStep) -> Void

    private func planned(
        _ id: String = "aa01", key: String = "public/a.png", cause: FindingCause? = .superseded,
        _ change: Change = { _ in }
    ) -> PlannedStep {
        var step = PlanStep(
            id: "quarantine-\(id)", hash: "", strategy: .quarantine, finding: id, bucket: "media",
            key: ObjectKey(key),
            record: RecordPlace(identity: Sample.identity(), field: "cover", version: 3),
            precondition: Precondition(
                object: Sample.version(), owners: [Sample.identity("o1")], recordVersion: 3))
        change(&step)
        return PlannedStep(step.sealed(), kind: .orphan, cause: cause)
    }

    private func nulling(_ change: Change = { _ in }) -> PlannedStep {
        var step = planned().step
        step.strategy = .nullify
        step.precondition = Precondition(value: [1], recordVersion: 3)
        change(&step)
        return PlannedStep(step.sealed(), kind: .dangling, cause: .missing)
    }

    private func line(
        _ word: ReviewWord?, _ step: PlannedStep, _ line: Int = 2, file: Int = 0
    ) -> ReviewLine {
        ReviewLine(word, on: step.seen, at: ReviewLine.Place(file: file, line: line))
    }

    private func review(
        _ lines: [ReviewLine], _ today: [PlannedStep], found: Set<String> = []
    ) -> PlanReview {
        var words = ReviewWords()
        for line in lines { words.add(line) }
        return words.review(today) { found.contains($0) }
    }

    // MARK: Words

    @Test("Approve stays, keep goes, silence goes, and so does what stands in no file")
    func fates() {
        let steps = ["a1", "a2", "a3", "a4"].map { planned($0) }
        let result = review(
            [line(.approve, steps[0]), line(.keep, steps[1]), line(nil, steps[2])], steps)
        #expect(result.steps == [steps[0].step])
        #expect(
            result.counts == [.approved: 1, .kept: 1, .undecided: 1, .unmentioned: 1])
        #expect(result.changes.isEmpty && result.contradicted == 0)
    }

    @Test("Keep wins over approve in whatever order, and silence over neither")
    func contradictions() {
        let step = planned()
        for lines in [[ReviewWord.approve, .keep], [.keep, .approve], [.keep, nil, .approve]] {
            let result = review(lines.map { line($0, step) }, [step])
            #expect(result.steps.isEmpty && result.contradicted == 1)
            #expect(result.counts == [.kept: 1] && result.changes.isEmpty)
        }
        let quiet = review([line(nil, step), line(.approve, step), line(nil, step)], [step])
        #expect(quiet.steps == [step.step] && quiet.contradicted == 0)
    }

    @Test("Keep holds for its finding, whatever became of it")
    func keptForGood() {
        let now = planned { $0.precondition.object = Sample.version(etag: "other") }
        let result = review([line(.keep, planned()), line(.approve, now)], [now])
        #expect(result.steps.isEmpty && result.counts == [.kept: 1])
    }

    @Test(
        "Words are read in any case and between blanks, and nothing else is a word",
        arguments: [
            ("approve", ReviewWord.approve), (" Approve\t", .approve), ("KEEP\r\n", .keep),
            ("", nil), ("approved", nil), ("yes", nil), ("app rove", nil), ("keep.", nil),
            ("\0keep", nil),
        ])
    func words(cell: String, word: ReviewWord?) {
        #expect(ReviewWord(Array(cell.utf8)) == word)
    }

    // MARK: What changed meanwhile

    @Test("Another object, cause, place, strategy, marker or quarantine is another step")
    func otherStates() {
        let changes: [Change] = [
            { $0.precondition.object = Sample.version(etag: "other") },
            { $0.precondition.object = Sample.version(size: 18) },
            { $0.precondition.object = Sample.version(born: now) },
            {
                $0.precondition.object = ObjectVersion(
                    size: 17, etag: "e", lastModified: now - .days(100), versionID: "v")
            },
            { $0.bucket = "other" }, { $0.key = ObjectKey("public/b.png") },
            { $0.strategy = .delete }, { $0.precondition.basis.marker = "m" },
            { $0.precondition.quarantinedBy = RunID("20261121T020000Z-aaaaaa") },
            { $0.target = ObjectPlace(bucket: "media", key: ObjectKey("x")) },
        ]
        for (number, change) in changes.enumerated() {
            let today = planned("aa01", change)
            #expect(today.seen != planned().seen, "\(number)")
            let result = review([line(.approve, planned(), 7)], [today], found: ["aa01"])
            #expect(result.steps.isEmpty && result.counts == [.changed: 1], "\(number)")
            #expect(result.changes.map(\.line.place.line) == [7])
        }
        #expect(planned(cause: .cleared).seen != planned().seen)
    }

    @Test("An orphan is the same whoever may own it and however often its owner is written")
    func sameOrphan() {
        let today = planned {
            $0.precondition.owners = []
            $0.precondition.recordVersion = 4
            $0.precondition.rowToken = "t"
            $0.record?.version = 4
        }
        #expect(review([line(.approve, planned())], [today]).steps == [today.step])
        // Whoever was asked about one owner has not seen another.
        let other = planned { $0.record?.field = "other" }
        #expect(review([line(.approve, planned())], [other]).steps.isEmpty)
    }

    @Test("A record that is to be written is another one by version, row, value, field and index")
    func otherRows() {
        let changes: [Change] = [
            { $0.precondition.recordVersion = 4 }, { $0.precondition.rowToken = "t" },
            { $0.precondition.value = [2] }, { $0.record?.field = "other" },
            { $0.record?.index = 1 },
        ]
        for (number, change) in changes.enumerated() {
            let today = nulling(change)
            let result = review([line(.approve, nulling())], [today])
            #expect(result.steps.isEmpty, "\(number)")
            #expect(result.changes.map(\.reason) == [.changed], "\(number)")
        }
        #expect(review([line(.approve, nulling())], [nulling()]).steps.count == 1)
    }

    @Test("Each approval that is not done says why, in the order of files and lines")
    func reasons() {
        func approved(_ id: String, _ number: Int, file: Int = 0) -> ReviewLine {
            var line = line(.approve, planned(id), number, file: file)
            line.strategy = "quarantine"
            return line
        }
        let today = [
            planned("c1") { $0.strategy = .delete },
            planned("c2") { $0.precondition.object = Sample.version(etag: "other") },
        ]
        let result = review(
            [
                approved("c4", 2, file: 1), approved("c3", 9), approved("c2", 8),
                approved("c1", 7), approved("c1", 6),
            ], today, found: ["c1", "c2", "c3"])
        #expect(result.changes.map(\.reason) == [.strategy, .changed, .unplanned, .gone])
        #expect(result.changes.map(\.line.place.line) == [6, 8, 9, 2])
    }

    @Test("A row put together of several approves nothing, and what spreadsheets change passes")
    func tornRows() {
        let step = planned("0a1b", key: "public/caf\u{E9} '1'.png")
        func belongs(_ change: (inout ReviewLine) -> Void) -> Bool {
            var line = line(.approve, step)
            change(&line)
            let result = review([line], [step])
            #expect(result.steps.isEmpty == (result.changes.map(\.reason) == [.torn]))
            return result.steps == [step.step]
        }
        #expect(belongs { $0.finding = "0a1b" })
        #expect(belongs { $0.finding = "1.2E+31" })
        #expect(!belongs { $0.finding = "0a1c" })
        #expect(belongs { $0.key = Array("public/caf\u{E9} '1'.png".utf8) })
        #expect(belongs { $0.key = Array("'public/caf".utf8) + [0xE9] + Array(" 1.png".utf8) })
        #expect(!belongs { $0.key = Array("public/other.png".utf8) })
        #expect(!belongs { $0.key = [] })
    }

    @Test("A state is one text that no spreadsheet takes for a number, and nothing else is one")
    func texts() {
        let text = planned().seen.text
        #expect(text.hasPrefix("v1-aa01-") && SeenState(text) == planned().seen)
        for other in [
            "", "v1", "v1-aa01", String(text.dropLast()), text + "0", "v2" + text.dropFirst(2),
            text.replacing("aa01", with: ""), text.replacing("aa01", with: "AA01"), text + "-",
            "'" + text,
        ] {
            #expect(SeenState(other) == nil, "\(other)")
        }
    }

    // MARK: Any plan, any words

    @Test("Of any plan and any words exactly what was approved, kept by nobody and is as it was")
    func property() {
        var random = SeededGenerator("plan review")
        for round in 0..<400 {
            let ids = (0..<random.number(0...12)).map { "f\($0)" }
            let then = ids.map { planned($0) }
            let today = ids.compactMap { id -> PlannedStep? in
                switch random.number(0...5) {
                case 0: nil
                case 1: planned(id) { $0.strategy = .delete }
                case 2: planned(id) { $0.precondition.object = Sample.version(etag: "new") }
                default: planned(id)
                }
            }.shuffled(using: &random)
            var lines: [ReviewLine] = []
            for step in then {
                for number in 0..<random.number(0...3) {
                    let word = [ReviewWord.approve, .approve, .keep, nil][random.number(0...3)]
                    lines.append(line(word, step, number))
                }
            }
            lines.shuffle(using: &random)
            let result = review(lines, today)
            let expected = today.filter { step in
                let own = lines.filter { $0.seen.finding == step.step.finding }
                return own.contains { $0.word == .approve && $0.seen == step.seen }
                    && !own.contains { $0.word == .keep }
            }
            #expect(result.steps == expected.map(\.step), "round \(round)")
            #expect(result.counts.values.reduce(0, +) == today.count, "round \(round)")
            let approved = Set(lines.filter { $0.word == .approve }.map(\.seen.finding))
                .subtracting(lines.filter { $0.word == .keep }.map(\.seen.finding))
            let done = Set(result.steps.map(\.finding))
            #expect(
                Set(result.changes.map(\.line.seen.finding)) == approved.subtracting(done),
                "round \(round)")
        }
    }
}
