import MooringDecisions
import MooringModel
import Testing

@Suite("Events about one subject")
struct EventCollectionTests {
    private static let key = Array("private/x/a.png".utf8)
    private let object = EventSubject(
        object: key, buckets: ["media", "store"], values: [Array("a.png".utf8)])

    private func event(
        _ act: String, at second: Int64 = 1, bucket: String = "store", key: [UInt8]? = Self.key,
        request: String? = nil
    ) -> LoggedEvent {
        LoggedEvent(
            time: Instant(seconds: second), precision: .seconds(1),
            source: act.contains(".") ? .accessLog : .cloudTrail, act: act,
            subject: .object(bucket: bucket, key: key), requestID: request)
    }

    private func change(
        _ before: [String]?, _ after: [String]?, table: String = "Song-x-dev", id: String = "s1"
    ) -> LoggedEvent {
        LoggedEvent(
            time: Instant(seconds: 1), precision: .seconds(1), source: .stream, act: "MODIFY",
            subject: .record(
                table: table, texts: [Array(id.utf8)], before: before?.map { Array($0.utf8) },
                after: after?.map { Array($0.utf8) }))
    }

    @Test("An object is known by its key's bytes in its bucket, by either of the bucket's names")
    func objects() {
        #expect(object.concerns(event("D")))
        #expect(object.concerns(event("D", bucket: "media")))
        #expect(!object.concerns(event("D", bucket: "other")))
        #expect(!object.concerns(event("D", key: Self.key + [0x20])))
        #expect(!object.concerns(event("D", key: nil)))
    }

    @Test("A record's change concerns the object that it holds, and says which way")
    func changes() {
        func told(_ event: LoggedEvent) -> String? { object.change(in: event) { $0.uppercased() } }
        // The table may be anybody's: what it held is the same value, and no more is known.
        #expect(
            told(change(["a.png"], [], table: "Other"))
                == "a record of OTHER that held the same value holds it no more")
        #expect(told(change([], ["a.png"])) == "a record of SONG-X-DEV holds the same value now")
        #expect(
            told(change(["a.png"], ["a.png"], table: ""))
                == "a record holds the same value before and after")
        #expect(
            told(change(nil, ["a.png"], table: "T"))
                == "one of the images of a record of T with the same value is not told")
        #expect(told(event("D")) == nil)
        #expect(!object.concerns(change(["b.png"], [])))
        #expect(object.concerns(change(nil, ["a.png"])))
        let record = EventSubject(record: [Array("s1".utf8)], tables: ["Song"])
        #expect(record.concerns(change(nil, nil)))
        #expect(record.concerns(change(nil, nil, table: "Song")))
        #expect(record.concerns(change(nil, nil, table: "")))
        #expect(!record.concerns(change(nil, nil, table: "Songs-x")))
        #expect(!record.concerns(change(nil, nil, id: "s2")))
        #expect(!record.concerns(event("D")))
    }

    @Test("Of the images of an event that is kept, only what tells of the subject is held")
    func pared() {
        var found = EventCollection(object)
        found.take(change(["a.png", "long", "a.png"], ["other"]))
        #expect(
            found.events.map(\.subject) == [
                .record(
                    table: "Song-x-dev", texts: [], before: [Array("a.png".utf8)], after: [])
            ])
    }

    @Test("A batch's deletion gets its person from the event of the same request")
    func join() {
        var found = EventCollection(object)
        found.take(event("BATCH.DELETE.OBJECT", request: "R1"))
        found.take(event("BATCH.DELETE.OBJECT", at: 2, request: "R2"))
        #expect(found.requests == ["R1", "R2"])
        var trail = event("DeleteObjects", key: nil, request: "R1")
        (trail.actor, trail.actorPrecision, trail.place) = ("arn:user", .user, "trail:1")
        found.join(trail, requests: found.requests)
        var other = trail
        (other.requestID, other.actor) = ("R3", "nobody")
        found.join(other, requests: found.requests)
        other.subject = .object(bucket: "elsewhere", key: nil)
        other.requestID = "R2"
        found.join(other, requests: found.requests)
        #expect(found.events.map(\.actor) == ["arn:user", nil])
        #expect(found.events[0].actorPrecision == .user)
        #expect(
            found.events[0].remark == "who acted is told by trail:1, the same request")
    }

    @Test("Two events of one request share who is known most precisely")
    func share() {
        var found = EventCollection(object)
        var line = event("REST.DELETE.OBJECT", request: "R1")
        (line.actor, line.actorPrecision) = ("canonical", .account)
        var trail = event("DeleteObject", request: "R1")
        (trail.actor, trail.actorPrecision) = ("arn:role", .role)
        found.take(line)
        found.take(trail)
        #expect(found.events.map(\.actor) == ["arn:role", "arn:role"])
    }

    @Test("The newest are kept, how many are left out is told, and of each sort what was read")
    func bounded() {
        var found = EventCollection(object)
        for second in 1...Int64(2 * EventCollection.most + 5) {
            found.take(event("D.D", at: second))
        }
        found.take(event("D.D", at: 9_000, key: nil))
        #expect(found.events.count == EventCollection.most)
        #expect(found.events.last?.time == Instant(seconds: Int64(2 * EventCollection.most + 5)))
        #expect(found.dropped == EventCollection.most + 5)
        #expect(
            found.sentences == [
                "server access logs: 2006 events from 1970-01-01T00:00:01Z to "
                    + "1970-01-01T02:30:00Z, 2005 about it; delivery is best effort and hours "
                    + "late, so that its silence proves nothing"
            ])
        for number in 1...30 { found.fault("log:\(number)", "is none") }
        #expect(found.faultCount == 30 && found.faults.count == EventCollection.mostFaults)
    }
}
