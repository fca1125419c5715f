import MooringDecisions
import MooringModel
import Testing

@testable import MooringLedger

struct StoreIdentityTests {
    private let folder: TemporaryFolder
    private let ledger: Ledger
    private let now = Instant(seconds: 1_000)

    init() throws {
        folder = try TemporaryFolder()
        ledger = try Ledger.open(path: folder.ledger)
    }

    @Test("A store is known part for part, by side and name, until it is forgotten")
    func parts() throws {
        #expect(try ledger.storeIdentity(.bucket, "media").isEmpty)
        try ledger.adopt(["a": "1", "b": "2"], of: .bucket, "media", in: nil, at: now)
        try ledger.adopt(["b": "3", "c\u{0}": ""], of: .bucket, "media", in: nil, at: now)
        try ledger.adopt(["a": "9"], of: .records, "media", in: nil, at: now)
        #expect(
            try ledger.storeIdentity(.bucket, "media") == ["a": "1", "b": "3", "c\u{0}": ""])
        try ledger.forgetStore(.bucket, "media")
        #expect(try ledger.storeIdentity(.bucket, "media").isEmpty)
        #expect(try ledger.storeIdentity(.records, "media") == ["a": "9"])
    }

    private func lost(_ head: String, _ bucket: String = "media") -> LostPrefix {
        LostPrefix(bucket: bucket, prefix: Array(head.utf8))
    }

    @Test("An erasure is kept as its hash, and takes what was accepted below its prefixes along")
    func losses() throws {
        let run = RunID(startingAt: now)
        for (head, count) in [
            ("private/eu:1/", 3), ("private/eu:1/x/", 1), ("private/", 9), ("private/eu:1", 2),
        ] {
            try ledger.accept(loss: count, below: lost(head), in: run, at: now)
            try ledger.remember(vanished: [lost(head): count], in: run)
        }
        let scope = try ErasureScope(
            .identity(Array("eu:1".utf8)), bucket: nil, levels: AccessLevel.amplify,
            buckets: [BucketMapping(name: "media")])
        try ledger.keep(erasure: scope, by: run, at: now)
        #expect(try ledger.acceptedLosses() == [lost("private/"): 9])
        #expect(try ledger.vanishedPrefixes() == [lost("private/"): 9])
        let digest = FindingIdentity.sha256(Array("eu:1".utf8))
        #expect(
            try ledger.erasures() == [
                KnownErasure(bucket: nil, request: "identity", length: 4, digest: digest)
            ])
        try ledger.forget(erasures: try ledger.erasures())
        #expect(try ledger.erasures().isEmpty)
    }

    @Test("An accepted loss is one bucket's, and is only ever lowered")
    func accepted() throws {
        let run = RunID(startingAt: now)
        let (rest, other) = (lost("private/"), lost("private/", "other"))
        try ledger.accept(loss: 9, below: rest, in: run, at: now)
        try ledger.accept(loss: 7, below: other, in: run, at: now)
        try ledger.lower(loss: 12, below: rest)
        #expect(try ledger.acceptedLosses() == [rest: 9, other: 7])
        try ledger.lower(loss: 4, below: rest)
        #expect(try ledger.acceptedLosses() == [rest: 4, other: 7])
        try ledger.lower(loss: 0, below: rest)
        #expect(try ledger.acceptedLosses() == [other: 7])
    }

    @Test("A prefix that vanished is remembered by bucket, until it is forgotten")
    func vanished() throws {
        let run = RunID(startingAt: now)
        let (one, other) = (lost("private/"), lost("private/", "other"))
        try ledger.remember(vanished: [one: 33, other: 5], in: run)
        try ledger.remember(vanished: [one: 34], in: run)
        #expect(try ledger.vanishedPrefixes() == [one: 34, other: 5])
        try ledger.forget(vanished: [one])
        #expect(try ledger.vanishedPrefixes() == [other: 5])
    }

    @Test("What a run saw first on another store is forgotten, and nothing else")
    func firstSights() throws {
        let runs = [RunID(startingAt: now), RunID(startingAt: now + .days(1))]
        func sight(_ key: String, _ run: Int) throws -> Instant? {
            try ledger.firstSights(
                of: [(bucket: "media", key: ObjectKey(key), token: "t")],
                at: now + .days(Int64(run)), run: runs[run]
            ).first
        }
        _ = try sight("a", 0)
        _ = try sight("b", 0)
        #expect(try sight("a", 1) == now)
        try ledger.dropFirstSights(run: runs[1])
        #expect(try sight("a", 1) == now + .days(1))
        #expect(try sight("b", 1) == now)
    }
}
