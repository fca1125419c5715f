import GRDB
import MooringModel
import Testing

@testable import MooringLedger

/// The looks at objects in quarantine, kept from run to run and over an upgrade.
struct WatchLooksTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let object = QuarantinedObject(
        key: ObjectKey("a/b"), run: Sample.run(0), version: Sample.version)

    private func watch(
        _ ledger: Ledger, _ hour: Int64, referenced: Bool = false, lasting: Duration = .zero
    ) throws {
        let from = Sample.hour(hour)
        try ledger.watch(
            [("photos", object, referenced)], at: from + lasting, run: Sample.run(hour),
            look: CleanLook(from: from, until: from + lasting))
    }

    private func close(_ ledger: Ledger, _ hour: Int64) throws {
        try ledger.closeWatch(run: Sample.run(hour), bucket: "photos")
    }

    private func looks(_ ledger: Ledger) throws -> CleanLooks? {
        try ledger.quarantineWatch(bucket: "photos").first?.looks
    }

    @Test("Looks are kept with their beginning and end, and come back from the file")
    func kept() throws {
        var expected = CleanLooks()
        for hour: Int64 in [1, 30, 200, 201, 203] {
            let ledger = try Ledger.open(path: folder.ledger)
            try watch(ledger, hour, lasting: .minutes(7))
            try close(ledger, hour)
            expected.add(
                CleanLook(from: Sample.hour(hour), until: Sample.hour(hour) + .minutes(7)))
            #expect(try looks(ledger) == expected)
        }
        #expect(expected.beginnings.count > 1)
    }

    @Test("A reference takes all looks away at once, and nothing brings them back")
    func reference() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        try watch(ledger, 1)
        try close(ledger, 1)
        try watch(ledger, 2, referenced: true)
        #expect(try looks(ledger)?.isEmpty == true)
        try ledger.begin(Sample.summary(3))
        #expect(try looks(ledger)?.isEmpty == true)
        try watch(ledger, 3)
        try close(ledger, 3)
        #expect(try looks(ledger)?.beginnings.map(\.at) == [Sample.hour(3)])
    }

    @Test("A look of a run that never ended is taken back by the next one")
    func open() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        try watch(ledger, 1)
        try close(ledger, 1)
        try watch(ledger, 2)
        try watch(ledger, 40)
        var expected = CleanLooks()
        expected.add(CleanLook(at: Sample.hour(1)))
        expected.add(CleanLook(at: Sample.hour(40)))
        #expect(try looks(ledger) == expected)
    }

    @Test("A ledger that kept no looks knows its first and its last one, and a gap between them")
    func upgrade() throws {
        let old = try Ledger.open(path: folder.ledger)
        for hour: Int64 in [24, 48, 72, 240] {
            try watch(old, hour, lasting: hour == 240 ? .minutes(20) : .zero)
            try close(old, hour)
        }
        try old.queue.write { db in
            try db.execute(
                sql: """
                    ALTER TABLE watch DROP COLUMN looks;
                    ALTER TABLE watch DROP COLUMN closedLooks;
                    ALTER TABLE recordSight DROP COLUMN wasSeen;
                    DELETE FROM grdb_migrations WHERE identifier = '013-looks'
                    """)
        }
        let ledger = try Ledger.open(path: folder.ledger)
        var expected = CleanLooks()
        // Nobody knows when the first of them began to read.
        let quarantined = Sample.run(0).startedAt ?? .distantPast
        expected.add(CleanLook(from: quarantined, until: Sample.hour(24)))
        expected.add(
            CleanLook(from: Sample.hour(240), until: Sample.hour(240) + .minutes(20)))
        #expect(try looks(ledger) == expected)
        #expect(try ledger.quarantineWatch(bucket: "photos").first?.cleanRuns == 4)
        // The next run adds to what is known.
        try watch(ledger, 264)
        expected.add(CleanLook(at: Sample.hour(264)))
        #expect(try looks(ledger) == expected)
        try ledger.begin(Sample.summary(265))
        try watch(ledger, 288)
        try close(ledger, 288)
        let beginnings = try looks(ledger)?.beginnings
        #expect(beginnings?.first?.gap == .hours(240) + .minutes(20))
        #expect(beginnings?.last?.gap ?? .zero <= .hours(48))
    }

    @Test("Looks of another form are refused, and not taken for none")
    func damage() throws {
        let ledger = try Ledger.open(path: folder.ledger)
        try watch(ledger, 1)
        for damage in ["x''", "x'02'", "x'01ff'", "x'0100000000000000010000000000000001'"] {
            try ledger.queue.write {
                try $0.execute(sql: "UPDATE watch SET looks = \(damage), closedLooks = x'01'")
            }
            let error = #expect(throws: LedgerError.self) { _ = try looks(ledger) }
            #expect(
                error?.found
                    == "a stored document cannot be read (the looks of a watch have another form)")
        }
    }
}
