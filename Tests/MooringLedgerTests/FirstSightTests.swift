import MooringLedger
import MooringModel
import Testing

struct FirstSightTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    private func object(_ hour: Int64, _ token: String, key: [UInt8] = [1]) throws -> [Instant] {
        try ledger.firstSights(
            of: [("photos", ObjectKey(key), token)], at: Sample.hour(hour), run: Sample.run(hour))
    }

    private func record(_ hour: Int64, _ token: String, id: [UInt8] = [1]) throws -> [Instant] {
        try ledger.firstSights(
            of: [(Sample.identity(id), token)], at: Sample.hour(hour), run: Sample.run(hour))
    }

    @Test("The first sight of a version stays, and a new version is a new sight")
    func tokens() throws {
        for look in [object(_:_:key:), record(_:_:id:)] {
            #expect(try look(1, "v1", [1]) == [Sample.hour(1)])
            #expect(try look(2, "v1", [1]) == [Sample.hour(1)])
            #expect(try look(3, "absent", [1]) == [Sample.hour(3)])
            #expect(try look(4, "absent", [1]) == [Sample.hour(3)])
            // A version that comes back after another is younger than it looks, never older.
            #expect(try look(5, "v1", [1]) == [Sample.hour(5)])
        }
    }

    @Test("An object that was listed with its id was seen then, a record's token is what it is")
    func listedWithID() throws {
        #expect(try object(1, "e|5|3|v1") == [Sample.hour(1)])
        #expect(try object(2, "e|5|3|") == [Sample.hour(1)])
        #expect(try object(3, "e|5|3|") == [Sample.hour(1)])
        // An id that was not known before may be that of a younger one.
        #expect(try object(4, "e|5|3|v1") == [Sample.hour(4)])
        #expect(try object(5, "e|5|3|v2") == [Sample.hour(5)])
        #expect(try object(6, "e|5|4|") == [Sample.hour(6)])
        #expect(try record(1, "e|5|3|v1") == [Sample.hour(1)])
        #expect(try record(2, "e|5|3|") == [Sample.hour(2)])
    }

    @Test("Whether a record was ever there is kept beside its absence, until it is forgotten")
    func wasSeen() throws {
        func wasSeen(_ hour: Int64, _ token: String, id: UInt8) throws -> Bool {
            try ledger.recordSights(
                of: [(Sample.identity([id]), token)], at: Sample.hour(hour),
                run: Sample.run(hour))[0].wasSeen
        }
        let absent = Ledger.absentToken
        #expect(try !wasSeen(1, absent, id: 1))
        #expect(try wasSeen(1, "v1", id: 2))
        #expect(try !wasSeen(2, absent, id: 1))
        #expect(try wasSeen(2, absent, id: 2))
        #expect(try wasSeen(3, absent, id: 2))
        #expect(try wasSeen(3, "v1", id: 1))
        try ledger.closeFirstSights(run: Sample.run(4))
        #expect(try !wasSeen(5, absent, id: 2))
    }

    @Test("Sights come back in the order asked for, whatever bytes name them")
    func hostile() throws {
        var keys = Sample.hostile
        for (hour, key) in keys.enumerated() {
            _ = try object(Int64(hour), "v", key: key)
            _ = try record(Int64(hour), "v", id: key)
        }
        keys.reverse()
        let expected = keys.indices.reversed().map { Sample.hour(Int64($0)) }
        #expect(
            try ledger.firstSights(
                of: keys.map { ("photos", ObjectKey($0), "v") }, at: Sample.hour(99),
                run: Sample.run(99)) == expected)
        #expect(
            try ledger.firstSights(
                of: keys.map { (Sample.identity($0), "v") }, at: Sample.hour(99),
                run: Sample.run(99)) == expected)
        #expect(
            try ledger.firstSights(
                of: [("other", ObjectKey([0]), "v")], at: Sample.hour(100), run: Sample.run(99))
                == [Sample.hour(100)])
    }

    @Test("A complete run forgets what it did not ask for, and only that")
    func closing() throws {
        _ = try (object(1, "v", key: [1]), object(1, "v", key: [2]))
        _ = try (record(1, "v", id: [1]), record(1, "v", id: [2]))
        _ = try (object(2, "v", key: [1]), record(2, "v", id: [1]))
        try ledger.closeFirstSights(run: Sample.run(2))
        #expect(try object(3, "v", key: [1]) == [Sample.hour(1)])
        #expect(try object(3, "v", key: [2]) == [Sample.hour(3)])
        #expect(try record(3, "v", id: [1]) == [Sample.hour(1)])
        #expect(try record(3, "v", id: [2]) == [Sample.hour(3)])
    }

    @Test("It forgets nothing of other buckets, prefixes and sources")
    func closingInScope() throws {
        _ = try (object(1, "v", key: [1]), object(1, "v", key: [2]), record(1, "v"))
        func close(_ hour: Int64, _ bucket: String, _ prefix: [UInt8], _ source: String) throws {
            try ledger.closeFirstSights(
                run: Sample.run(hour),
                in: RunScope(buckets: [bucket: [ObjectKey(prefix)]], sources: [source]))
        }
        try close(2, "films", [], "mai")
        try close(3, "photos", [2], "main2")
        #expect(try object(4, "v", key: [1]) == [Sample.hour(1)])
        #expect(try object(4, "v", key: [2]) == [Sample.hour(4)])
        #expect(try record(4, "v") == [Sample.hour(1)])
        try close(5, "photos", [], "main")
        #expect(try object(6, "v", key: [1]) == [Sample.hour(6)])
        #expect(try record(6, "v") == [Sample.hour(6)])
    }
}
