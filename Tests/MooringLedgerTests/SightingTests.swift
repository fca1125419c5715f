import MooringLedger
import MooringModel
import SeededNumbers
import Testing

struct SightingTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
        try ledger.record(run: 0, [Sample.finding("f"), Sample.finding("g")])
    }

    private func sighting(_ id: String = "f") throws -> Sighting? {
        try #require(try ledger.history(of: [id])[id]).sighting
    }

    private func sight(_ hour: Int64, _ token: String = "v1", _ ids: [String] = ["f"]) throws {
        try ledger.sight(
            ids.map { ($0, token) }, at: Sample.hour(hour), run: Sample.run(hour))
    }

    private func close(_ hour: Int64) throws {
        try ledger.closeSightings(run: Sample.run(hour))
    }

    @Test("Complete runs that judge the same version add up")
    func addUp() throws {
        #expect(try sighting() == nil)
        try sight(1)
        try close(1)
        let first = Sample.hour(1)
        #expect(try sighting() == Sighting(token: "v1", firstAt: first, lastAt: first, runs: 1))
        try sight(5)
        try close(5)
        #expect(
            try sighting()
                == Sighting(token: "v1", firstAt: first, lastAt: Sample.hour(5), runs: 2))
    }

    @Test("What was sighted with its id counts on without it, and not the other way round")
    func listedWithID() throws {
        try sight(1, "e|5|3|v1")
        try close(1)
        try sight(2, "e|5|3|")
        try close(2)
        #expect(try sighting()?.runs == 2)
        #expect(try sighting()?.token == "e|5|3|")
        try sight(3, "e|5|3|v1")
        try close(3)
        #expect(try sighting()?.runs == 1)
    }

    @Test("A run counts once, before and after it closes")
    func oncePerRun() throws {
        try sight(1)
        try close(1)
        try sight(2)
        try sight(2)
        #expect(try sighting()?.runs == 2)
        try close(2)
        try close(2)
        try sight(2)
        #expect(try sighting()?.runs == 2)
    }

    @Test("Another version starts anew, in the same run too")
    func otherToken() throws {
        try sight(1)
        try close(1)
        try sight(2, "v2")
        let second = Sample.hour(2)
        #expect(try sighting() == Sighting(token: "v2", firstAt: second, lastAt: second, runs: 1))
        try sight(2, "v3")
        try close(2)
        #expect(try sighting() == Sighting(token: "v3", firstAt: second, lastAt: second, runs: 1))
    }

    @Test("Tokens that Swift holds for one text, or that end alike in C, are different versions")
    func hostileTokens() throws {
        for (hour, token): (Int64, String) in [
            (1, "a"), (2, "a\u{0}"), (3, "a\u{0}b"), (4, "\u{E1}"), (5, "a\u{301}"),
        ] {
            try sight(hour, token)
            try close(hour)
            #expect(try sighting()?.runs == 1)
            #expect(try sighting()?.token.utf8.elementsEqual(token.utf8) == true)
        }
    }

    @Test("What a complete run did not sight is forgotten")
    func closing() throws {
        try sight(1, "v1", ["f", "g"])
        try close(1)
        try sight(2, "v1", ["g"])
        try close(2)
        #expect(try sighting("f") == nil)
        #expect(try sighting("g")?.runs == 2)
        try sight(3)
        try close(3)
        #expect(try sighting("f")?.firstAt == Sample.hour(3))
    }

    @Test("A complete run forgets nothing that it could not have seen")
    func closingInScope() throws {
        let places: [String: RunScope.Place] = [
            "f": RunScope.Place(bucket: "photos", prefix: ObjectKey("a/")),
            "g": RunScope.Place(bucket: "photos", source: "main"),
        ]
        func kept(_ hour: Int64, _ buckets: [String: [ObjectKey]], _ source: String) throws
            -> [String]
        {
            try ledger.sight(
                [("f", "v1"), ("g", "v1")], at: Sample.hour(hour), run: Sample.run(hour),
                places: places)
            try close(hour)
            try ledger.closeSightings(
                run: Sample.run(hour + 1), in: RunScope(buckets: buckets, sources: [source]))
            return try ["f", "g"].filter { try sighting($0) != nil }
        }
        #expect(try kept(1, ["films": [ObjectKey("")]], "main") == ["f", "g"])
        #expect(try kept(3, ["photos": [ObjectKey("b/")]], "other") == ["f", "g"])
        #expect(try kept(5, ["photos": [ObjectKey("b/"), ObjectKey("a/b")]], "other") == ["g"])
        #expect(try kept(7, ["photos": [ObjectKey("b/")]], "main") == ["f"])
        #expect(try kept(9, ["photos": [ObjectKey("")]], "main") == [])
        // What no place is known of, every run might have seen.
        try sight(11)
        try close(11)
        try ledger.closeSightings(
            run: Sample.run(12), in: RunScope(buckets: [:], sources: []))
        #expect(try sighting("f") == nil)
    }

    @Test("A run that did not end counts for nothing once another begins")
    func unfinishedRun() throws {
        try sight(1)
        try close(1)
        try sight(2, "v1", ["f", "g"])
        #expect(try sighting("f")?.runs == 2)
        try ledger.begin(Sample.summary(3))
        #expect(
            try sighting("f")
                == Sighting(
                    token: "v1", firstAt: Sample.hour(1), lastAt: Sample.hour(1), runs: 1))
        #expect(try sighting("g") == nil)
    }

    @Test("The same holds when the next run sights without having begun")
    func unfinishedRunBySight() throws {
        try sight(1, "v1", ["f", "g"])
        try close(1)
        try sight(2, "v1", ["f"])
        try sight(3, "v1", ["f", "g"])
        try close(3)
        #expect(try sighting("f")?.runs == 2)
        #expect(try sighting("g")?.runs == 2)
        #expect(try sighting("f")?.lastAt == Sample.hour(3))
    }

    @Test("Whatever runs do, a sighting is the unbroken row of latest complete runs")
    func model() throws {
        let seed = Seed.one()
        var random = SeededGenerator(seed: seed)
        let ids = ["f", "g"]
        var log: [Look] = []
        for hour: Int64 in 1...150 {
            if Bool.random(using: &random) { try ledger.begin(Sample.summary(hour)) }
            var tokens: [String: String] = [:]
            for id in ids where Int.random(in: 0..<10, using: &random) > 0 {
                tokens[id] = Int.random(in: 0..<5, using: &random) == 0 ? "v2" : "v1"
            }
            for (id, token) in tokens { try sight(hour, token, [id]) }
            let isComplete = Int.random(in: 0..<4, using: &random) > 0
            log.append(Look(hour: hour, tokens: tokens, isComplete: isComplete))
            guard isComplete else { continue }
            try close(hour)
            for id in ids { #expect(try sighting(id) == expected(id, log), "hour \(hour)") }
        }
    }

    /// What one run sighted.
    private struct Look {
        let hour: Int64
        let tokens: [String: String]
        let isComplete: Bool
    }

    /// The sighting after the last run of a log, worked out from the log alone: a run that is not
    /// complete counts for nothing, yet breaks the row when it saw another version.
    private func expected(_ id: String, _ log: [Look]) -> Sighting? {
        guard let last = log.last, let token = last.tokens[id] else { return nil }
        var sighting = Sighting(
            token: token, firstAt: Sample.hour(last.hour), lastAt: Sample.hour(last.hour), runs: 0)
        for look in log.reversed() {
            if look.tokens[id] != token {
                if look.isComplete || look.tokens[id] != nil { break }
            } else if look.isComplete {
                sighting.runs += 1
                sighting.firstAt = Sample.hour(look.hour)
            }
        }
        return sighting
    }
}
