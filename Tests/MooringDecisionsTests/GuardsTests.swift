import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("Guards")
struct GuardsTests {
    private let guards = Guards(limits: Limits(), clockBound: .minutes(5))
    private let field = GuardedPlace.field(source: "app", model: "Song", field: "cover")

    private func facts(_ change: (inout GuardFacts) -> Void) -> GuardFacts {
        var facts = GuardFacts()
        facts.sides = [
            .init(place: .source("app"), isComplete: true),
            .init(place: .bucket("media"), isComplete: true),
        ]
        var bucket = GuardFacts.Bucket(name: "media")
        (bucket.objects, bucket.references, bucket.listed) = (100_000, 1_000, 1_000)
        facts.buckets = [bucket]
        var own = GuardFacts.Field(place: field)
        (own.references, own.usual, own.listed, own.rows) = (1_000, 1_000, 1_000, 1_000)
        own.buckets = ["media"]
        facts.fields = [own]
        var orphans = GuardFacts.Acts(share: PlacedShare(.orphanShare, .bucket("media")))
        orphans.total = 100_000
        var records = GuardFacts.Acts(share: PlacedShare(.recordShare, field))
        records.total = 1_000
        facts.acts = [orphans, records]
        change(&facts)
        return facts
    }

    private func answer(
        _ name: String, _ acceptance: Acceptance = Acceptance(),
        _ change: (inout GuardFacts) -> Void
    ) throws -> RunSummary.Guard {
        try #require(
            guards.check(facts(change), accepting: acceptance).first { $0.name == name })
    }

    @Test("nothing is refused where nothing is wrong, in a fixed order, each at its place")
    func calm() {
        let answers = guards.check(facts { _ in })
        #expect(
            answers.map(\.title) == [
                "complete:app", "complete:media", "objectDrop:media",
                "referenceDrop:app.Song.cover", "orphanShare:media",
                "recordShare:app.Song.cover", "steps", "bytes", "clockBound",
            ])
        #expect(answers.allSatisfy { !$0.refused && $0.hint == nil && $0.acceptance == nil })
    }

    @Test("a side that was not read to its end is refused and named")
    func incomplete() throws {
        let answer = try answer("complete") {
            $0.sides = [.init(place: .bucket("media"), isComplete: false)]
        }
        #expect(answer.refused && answer.place == "media" && answer.value == "incomplete")
        #expect(answer.hint?.contains("mooring audit") == true)
    }

    @Test(
        "orphans over the share are refused, at the share they are not",
        arguments: [(999, false), (1_000, false), (1_001, true)])
    func share(orphans: Int, refused: Bool) throws {
        #expect(try answer("orphanShare") { $0.acts[0].planned = orphans }.refused == refused)
    }

    @Test(
        "references over the share are refused, and what was done within a day counts",
        arguments: [(10, 0, false), (11, 0, true), (1, 10, true), (0, 40, false), (2, 1, false)])
    func records(planned: Int, done: Int, refused: Bool) throws {
        let answer = try answer("recordShare") {
            $0.acts[1].planned = planned
            $0.acts[1].done = done
        }
        #expect(answer.refused == refused)
    }

    @Test("up to three acts in one place are never too large a share, earlier ones included")
    func few() throws {
        for (planned, done, refused) in [(3, 0, false), (4, 0, true), (1, 2, false), (1, 3, true)] {
            let answer = try answer("recordShare") {
                $0.acts[1].total = 5
                $0.acts[1].planned = planned
                $0.acts[1].done = done
            }
            #expect(answer.refused == refused, "\(planned) and \(done)")
        }
    }

    @Test("no objects and yet orphans is everything")
    func shareOfNothing() throws {
        let answer = try answer("orphanShare") {
            $0.acts[0].total = 0
            $0.acts[0].planned = 4
        }
        #expect(answer.refused && answer.acceptance == nil)
    }

    @Test(
        "steps over the limit are refused",
        arguments: [(9_999, false), (10_000, false), (10_001, true)])
    func steps(count: Int, refused: Bool) throws {
        #expect(try answer("steps") { $0.steps = count }.refused == refused)
    }

    @Test("bytes over the limit are refused", arguments: [(-1, false), (0, false), (1, true)])
    func bytes(over: Int64, refused: Bool) throws {
        #expect(try answer("bytes") { $0.bytesToRemove = (100 << 30) + over }.refused == refused)
    }

    @Test(
        "a loss of references over the limit is refused, whatever is to be done",
        arguments: [(801, false), (800, false), (799, true), (1, true), (0, true)])
    func drop(references: Int, refused: Bool) throws {
        let answer = try answer("referenceDrop") { $0.fields[0].references = references }
        #expect(answer.refused == refused && answer.place == "app.Song.cover")
    }

    @Test("a loss counts from ten lost", arguments: [(10, 1, false), (10, 0, true), (9, 0, false)])
    func smallDrop(before: Int, now: Int, refused: Bool) throws {
        let answer = try answer("referenceDrop") {
            $0.fields[0].references = now
            $0.fields[0].usual = before
        }
        #expect(answer.refused == refused)
        let objects = try self.answer("objectDrop") {
            $0.buckets[0].references = 0
            $0.buckets[0].objects = now
            $0.buckets[0].usual = before
        }
        #expect(objects.refused == refused)
    }

    @Test("small fields that are emptied together count in their source")
    func total() throws {
        let many = facts {
            var field = $0.fields[0]
            (field.references, field.usual) = (0, 5)
            $0.fields += (0..<2).map { number in
                field.place = .field(source: "app", model: "M\(number)", field: "f")
                return field
            }
        }
        let answers = guards.check(many).filter(\.refused)
        #expect(answers.map(\.title) == ["referenceDrop:app"])
        var one = many
        one.fields.removeLast()
        #expect(guards.check(one).allSatisfy { !$0.refused })
    }

    @Test(
        "a source that held more than three references and holds none is refused, however few",
        arguments: [(3, 0, false), (4, 0, true), (8, 0, true), (8, 1, false), (9, 0, true)])
    func wholeSource(before: Int, now: Int, refused: Bool) throws {
        let beside = facts {
            var field = $0.fields[0]
            field.place = .field(source: "cms", model: "Page", field: "hero")
            (field.references, field.usual) = (now, before)
            $0.fields.append(field)
        }
        let answers = guards.check(beside).filter(\.refused)
        #expect(answers.map(\.title) == (refused ? ["referenceDrop:cms"] : []))
        let cause = "records 'cms' hold no reference any more: is it the right store?"
        #expect(answers.allSatisfy { $0.acceptance == nil && $0.cause == cause })
        var limits = Limits()
        var own = PlaceLimits()
        own.referenceDrop = 1
        limits.places[.model(source: "cms", model: "Page")] = own
        #expect(
            Guards(limits: limits, clockBound: .minutes(5)).check(beside)
                .allSatisfy { !$0.refused })
    }

    @Test("a source that is emptied is told of once: by its field where that tells it alone")
    func toldOnce() throws {
        let answers = guards.check(
            facts {
                var field = $0.fields[0]
                field.place = .field(source: "cms", model: "Page", field: "hero")
                (field.references, field.usual) = (0, 45)
                $0.fields.append(field)
            })
        #expect(answers.filter(\.refused).map(\.title) == ["referenceDrop:cms.Page.hero"])
    }

    @Test("a source that is no longer configured is a loss of all that it held")
    func absent() throws {
        let change = { (facts: inout GuardFacts) in
            facts.absent = [GuardFacts.Absence(source: "cms", references: 8)]
        }
        let answer = try #require(guards.check(facts(change)).first { $0.place == "cms" })
        #expect(answer.title == "referenceDrop:cms" && answer.refused && answer.number == 1)
        #expect(answer.value == "no references (8 before)" && answer.acceptance == nil)
        #expect(answer.cause?.contains("no longer configured") == true)
        var limits = Limits()
        limits.referenceDrop = 1
        #expect(
            Guards(limits: limits, clockBound: .minutes(5)).check(facts(change))
                .allSatisfy { !$0.refused })
    }

    @Test("few rows that are all of a model are no few where its store was another one before")
    func allOfMoved() throws {
        for (moved, refused) in [(false, false), (true, true)] {
            let answers = guards.check(
                facts {
                    var acts = GuardFacts.Acts(
                        share: PlacedShare(.recordShare, .model(source: "phone", model: "Song")))
                    (acts.planned, acts.total, acts.takesAllOfMoved) = (3, 3, moved)
                    $0.acts.append(acts)
                }
            ).filter(\.refused)
            #expect(answers.map(\.title) == (refused ? ["recordShare:phone.Song"] : []))
            #expect(answers.allSatisfy { $0.cause?.contains("was another before") == true })
        }
    }

    @Test("the message where a small bucket lost most names the cause, and the run to be reviewed")
    func smallCause() throws {
        let words = AcceptingWords(command: "mooring run", run: "20261122T000000Z-abcdef")
        let answers = Guards(limits: Limits(), clockBound: .minutes(5), words: words).check(
            facts {
                ($0.buckets[0].objects, $0.buckets[0].usual) = (1, 10)
                $0.acts[1].planned = 9
                $0.acts[1].total = 10
            }
        ).filter(\.refused)
        let answer = try #require(answers.first)
        #expect(answers.count == 1 && answer.name == "recordShare")
        #expect(
            answer.cause == "bucket 'media' lost half of its objects: is it the right one?")
        #expect(answer.hint?.contains("mooring report 20261122T000000Z-abcdef") == true)
        #expect(answer.hint?.contains("--accept") == false)
    }

    @Test("no reference at all is refused on a first run too, where something could be removed")
    func bare() throws {
        func refused(held: Int, planned: Int) -> [RunSummary.Guard] {
            guards.check(
                facts {
                    $0.fields[0].references = 0
                    $0.fields[0].usual = nil
                    $0.buckets[0].held = held
                    $0.acts[0].planned = planned
                }
            ).filter(\.refused)
        }
        #expect(refused(held: 0, planned: 0).isEmpty)
        for (held, planned) in [(1, 0), (0, 1)] {
            let answers = refused(held: held, planned: planned)
            #expect(answers.map(\.title) == ["referenceDrop:app"])
            #expect(answers.first?.value == "no references")
            #expect(answers.first?.acceptance == nil)
            #expect(
                answers.first?.cause
                    == "records 'app' hold no reference at all: is it the right store?")
        }
    }

    @Test("what halved is told with the question that its loss raises")
    func causes() throws {
        let lines: [(name: String, cause: String, change: (inout GuardFacts) -> Void)] = [
            (
                "objectDrop", "bucket 'media' lost half of its objects: is it the right one?",
                { ($0.buckets[0].objects, $0.buckets[0].usual) = (40, 100) }
            ),
            (
                "referenceDrop",
                "app.Song.cover lost half of its references: is it the right store?",
                { $0.fields[0].references = 400 }
            ),
            (
                "referenceDrop",
                "app.Song.cover has no records left: is it the right table and store?",
                { ($0.fields[0].references, $0.fields[0].rows) = (0, 0) }
            ),
            (
                "orphanShare",
                "600 of 1000 lie under identities that no record knows: are the records another "
                    + "environment's?",
                {
                    $0.acts[0].planned = 1_000
                    $0.acts[0].total = 2_000
                    $0.buckets[0].strangers = 600
                }
            ),
        ]
        for line in lines {
            let answer = try answer(line.name, Acceptance(), line.change)
            #expect(answer.refused && answer.cause == line.cause, "\(answer.cause ?? "")")
        }
        let rows = guards.check(
            facts {
                $0.rows = [
                    GuardFacts.Rows(
                        place: .model(source: "app", model: "Album"), records: 10, usual: 100)
                ]
            }
        ).filter(\.refused)
        #expect(rows.count == 1)
        #expect(
            rows.first?.cause
                == "app.Album lost half of its records: is it the right table and store?")
    }

    @Test("an empty bucket to which records refer is refused, first run or not")
    func empty() throws {
        for before in [nil, 0, 5, 100] {
            let answer = try answer("objectDrop") {
                $0.buckets[0].objects = 0
                $0.buckets[0].usual = before
                $0.buckets[0].references = 1
            }
            #expect(answer.refused && answer.acceptance == nil)
            #expect(answer.cause?.contains("is its folder mounted") == true)
        }
        let unused = try answer("objectDrop") {
            $0.buckets[0].objects = 0
            $0.buckets[0].references = 0
        }
        #expect(!unused.refused)
    }

    @Test("a first run has nothing to compare with")
    func first() throws {
        let answer = try answer("referenceDrop") { $0.fields[0].usual = nil }
        #expect(!answer.refused && answer.value.hasPrefix("no earlier run"))
    }

    @Test("limits of a place stand in place of the general ones, the nearest first")
    func places() throws {
        var limits = Limits()
        var own = PlaceLimits()
        own.recordShare = 0.5
        limits.places[.model(source: "app", model: "Song")] = own
        let change = { (facts: inout GuardFacts) in facts.acts[1].planned = 400 }
        func refused(_ limits: Limits) -> Bool {
            Guards(limits: limits, clockBound: .minutes(5)).check(facts(change))
                .contains { $0.name == "recordShare" && $0.refused }
        }
        #expect(!refused(limits))
        own.recordShare = 0.1
        limits.places[field] = own
        #expect(refused(limits))
    }

    @Test(
        "a clock that is off by more than the bound is refused, before or behind",
        arguments: [(300, false), (-300, false), (301, true), (-301, true)])
    func clock(seconds: Int64, refused: Bool) throws {
        let answer = try answer("clockBound") { $0.clock = .seconds(seconds) }
        #expect(answer.refused == refused)
        #expect(
            answer.hint
                == (refused ? "set this machine's clock or the store's, then run again" : nil))
        #expect(guards.clockAnswer(nil, behind: nil).refused == false)
    }

    @Test("an acceptance covers its own guard and place, up to its number")
    func acceptance() throws {
        func refused(_ numbers: [String: Double]) throws -> Bool {
            try answer("orphanShare", Acceptance(numbers: numbers)) { $0.acts[0].planned = 12_000 }
                .refused
        }
        #expect(try !refused(["orphanShare": 0.12]))
        #expect(try !refused(["orphanShare:media": 0.12]))
        #expect(try refused(["orphanShare:media": 0.1199]))
        #expect(try refused(["orphanShare:other": 1]))
        #expect(try refused(["steps": 1_000_000, "bytes": 1e18, "referenceDrop": 1]))
        func dropped(_ name: String) throws -> Bool {
            try answer("referenceDrop", Acceptance(numbers: [name: 0.3])) {
                $0.fields[0].references = 700
            }.refused
        }
        #expect(try !dropped("referenceDrop:app.Song.cover"))
        #expect(try !dropped("referenceDrop:Song.cover"))
        #expect(try dropped("referenceDrop:cover"))
    }

    @Test("a short name stands for one place of records, and for no bucket")
    func shortNames() {
        var acceptance = Acceptance()
        #expect(acceptance.names("recordShare:Song.cover", "recordShare", at: "app.Song.cover"))
        #expect(
            !acceptance.names("orphanShare:example.com", "orphanShare", at: "cdn.example.com"))
        acceptance.ambiguous = ["Song.cover"]
        #expect(!acceptance.names("recordShare:Song.cover", "recordShare", at: "app.Song.cover"))
        #expect(
            acceptance.names("recordShare:app.Song.cover", "recordShare", at: "app.Song.cover"))
    }

    @Test("an acceptance without a place covers one place, and none of several")
    func withoutPlace() {
        let several = facts {
            $0.acts[0].planned = 12_000
            var other = $0.acts[0]
            other.share = PlacedShare(.orphanShare, .bucket("other"))
            $0.acts.append(other)
        }
        let refused = guards.check(several, accepting: Acceptance(numbers: ["orphanShare": 1]))
            .filter(\.refused)
        #expect(refused.map(\.title) == ["orphanShare:media", "orphanShare:other"])
    }

    @Test("over half, no ready command is printed, and only a reviewed run is accepted")
    func overHalf() throws {
        let change = { (facts: inout GuardFacts) in facts.acts[0].planned = 50_001 }
        var acceptance = Acceptance(
            texts: ["orphanShare:media": "60%@RUN"], numbers: ["orphanShare:media": 0.6])
        let refused = try answer("orphanShare", acceptance, change)
        #expect(refused.refused && refused.acceptance == nil)
        #expect(
            refused.hint?.hasSuffix(
                "; only a run that was reviewed can be accepted (--help says how)") == true)
        #expect(refused.hint?.contains("--accept") == false)
        acceptance.reviewed = ["orphanShare:media"]
        let accepted = try answer("orphanShare", acceptance, change)
        #expect(!accepted.refused && accepted.accepted == "60%@RUN")
        #expect(try answer("orphanShare") { $0.acts[0].planned = 50_000 }.acceptance != nil)
    }

    @Test("an acceptance covers all acts of a day, accepted ones too; the limit alone does not")
    func acceptedBefore() throws {
        let acceptance = Acceptance(
            texts: ["orphanShare:media": "5%"], numbers: ["orphanShare:media": 0.05])
        for (planned, accepted, refused) in [
            (5_000, 0, false), (5_000, 5_000, true), (900, 5_000, false),
        ] {
            let answer = try answer("orphanShare", acceptance) {
                $0.acts[0].planned = planned
                $0.acts[0].accepted = accepted
            }
            #expect(answer.refused == refused, "\(planned) and \(accepted)")
            #expect(
                acceptance.texts(usedBy: [answer]).isEmpty == (refused || planned == 900))
        }
        let grave = try answer("orphanShare") {
            $0.acts[0].planned = 30_000
            $0.acts[0].accepted = 100_000
        }
        #expect(grave.refused && grave.acceptance == nil)
    }

    @Test("the clock and an incomplete scan cannot be accepted away")
    func unacceptable() {
        let names = AcceptableGuard.allCases.map(\.rawValue) + ["clockBound", "complete"]
        let everything = Acceptance(
            numbers: Dictionary(uniqueKeysWithValues: names.map { ($0, 1e18) }))
        let answers = guards.check(
            facts {
                $0.sides = [.init(place: .source("app"), isComplete: false)]
                $0.clock = .hours(1)
            }, accepting: everything)
        #expect(answers.filter(\.refused).map(\.name) == ["complete", "clockBound"])
    }

    @Test("the command that a refusal prints is accepted when it is given back")
    func printedValues() throws {
        var generator = SeededGenerator("the command that a refusal prints")
        for _ in 0..<5_000 {
            let objects = generator.number(8...200_000)
            let orphans = generator.number(0...objects / 2)
            let lost = generator.number(0...objects / 2)
            let change = { (facts: inout GuardFacts) in
                facts.acts[0].total = objects
                facts.acts[0].planned = orphans
                facts.acts[1].total = objects
                facts.acts[1].planned = lost
                facts.fields[0].usual = objects
                facts.fields[0].references = objects - lost
                facts.steps = 20_000 + orphans
                facts.bytesToRemove = Int64(200 << 30) + Int64(orphans)
            }
            var numbers: [String: Double] = [:]
            let refusing = guards.check(facts(change)).filter(\.refused)
            let words = AcceptingWords(command: "mooring run").next(refusing)
            #expect(words.contains("mooring run --accept "), "\(words)")
            #expect(words.contains("; to accept all of it: ") == (refusing.count > 1))
            for flag in words.split(separator: " --accept ").dropFirst() {
                let parts = flag.split(separator: "=")
                try #require(parts.count == 2, "\(words)")
                numbers[String(parts[0])] = try number(parts[1])
            }
            #expect(numbers.count == refusing.count)
            #expect(
                guards.check(facts(change), accepting: Acceptance(numbers: numbers))
                    .allSatisfy { !$0.refused }, "\(orphans) of \(objects), \(lost)")
        }
    }

    // As the command line reads it: a percentage, bytes, or a count.
    private func number(_ text: Substring) throws -> Double {
        if text.hasSuffix("%") { return try #require(Double(text.dropLast())) / 100 }
        return try #require(Double(text.hasSuffix("B") ? text.dropLast() : text))
    }
}
