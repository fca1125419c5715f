import MooringAWS
import MooringModel
import MooringS3
import StoreConformance
import TestServers
import Testing

@Suite("What a look into the quarantine costs", .requires(.ministack), .timeLimit(.minutes(60)))
struct QuarantineCostTests {
    @Test("each note is read with one request, and so is each small object that is none")
    func oneEach() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        let count = 5
        for number in 0..<count {
            let key = ObjectKey("songs/s\(number)")
            try await stage.put(key, "content")
            let bucket = stage.bucket
            let version = try await bucket.version(key)
            #expect(try await bucket.quarantine(key, expecting: version, run: run(1)) == .done)
        }
        try await stage.put(S3Stage.place(ObjectKey("songs/copy"), run(2)), "a copy")
        let fresh = stage.another()
        _ = try await fresh.listed()
        stage.caller.arm()
        let found = try await fresh.listedQuarantine()
        let sent = stage.caller.disarm()
        #expect(found.result.isComplete && found.items.count == count + 1)
        #expect(found.items.count { $0.marker != nil } == count)
        #expect(sent.count { ["HeadObject", "GetObject"].contains($0) } == count + 1, "\(sent)")
    }

    @Test("what gives its content to nobody, as an archive, is looked at all the same")
    func unreadable() async throws {
        let stage = try await S3Stage(S3Stage.Scene(versioned: true))
        try await stage.put(S3Stage.place(ObjectKey("songs/copy"), run(2)), "a copy")
        let caller = BentCaller(inner: stage.caller) {
            $0.call == "GetObject"
                ? AWSResponse(
                    status: 403, headers: [],
                    body: Array("<Error><Code>InvalidObjectState</Code></Error>".utf8)) : nil
        }
        let bucket = S3Bucket(
            name: "media",
            client: S3Client(place: S3Stage.place(stage.server, stage.store), caller: caller),
            quarantine: S3Quarantine(prefix: S3Stage.quarantine), clock: { S3Stage.now() })
        let found = try await bucket.listedQuarantine()
        #expect(found.result.isComplete && found.items.map(\.version.size) == [6])
    }
}
