import MooringAWS
import MooringModel
import MooringS3
import Testing

@Suite struct S3ClientTests {
    private static let region = [(name: "x-amz-bucket-region", value: "eu-west-1")]
    private static let ok = AWSResponse(status: 200, headers: [], body: [])

    private func client(
        _ caller: RecordingCaller, at host: String = "s3.amazonaws.com", owner: String? = nil
    ) -> S3Client {
        S3Client(
            place: S3Place(
                bucket: "photos", endpoint: Origin(host: host), usesPath: false,
                expectedOwner: owner),
            caller: caller)
    }

    @Test(arguments: [
        AWSResponse.error(301, "PermanentRedirect", headers: region), .error(301, headers: region),
        .error(400, headers: region),
        .error(
            400, "AuthorizationHeaderMalformed", more: "<Region>eu-west-1</Region>"),
        .error(
            301, "PermanentRedirect",
            more: "<Endpoint>photos.s3.eu-west-1.amazonaws.com</Endpoint>"),
        .error(
            307, "TemporaryRedirect",
            headers: [("location", "https://photos.s3-eu-west-1.amazonaws.com/key?x=1")]),
        .error(400, "IllegalLocationConstraintException", headers: region),
    ])
    func aBucketElsewhereIsFoundAndRemembered(_ answer: AWSResponse) async throws {
        let caller = RecordingCaller { $0.region == "eu-west-1" ? Self.ok : answer }
        let client = client(caller)
        for _ in 0..<2 {
            #expect(try await client.send(S3Call("HeadObject", key: ObjectKey("k"))).status == 200)
        }
        #expect(caller.sent.map(\.region) == [nil, "eu-west-1", "eu-west-1"])
        #expect(
            caller.sent.map(\.origin.host) == [
                "photos.s3.amazonaws.com", "photos.s3.eu-west-1.amazonaws.com",
                "photos.s3.eu-west-1.amazonaws.com",
            ])
        #expect(client.foundRegion == "eu-west-1")
    }

    @Test(arguments: [
        AWSResponse.error(301, headers: [("location", "https://evil.example/photos/k")]),
        .error(301, "PermanentRedirect", more: "<Endpoint>evil.example</Endpoint>"),
        .error(
            307, "TemporaryRedirect",
            headers: [("location", "https://s3.eu-west-1.amazonaws.com@evil.example/")]),
        .error(301, headers: [("x-amz-bucket-region", "evil.example/x-1")]),
        .error(
            301, "PermanentRedirect",
            more: "<Endpoint>other.s3.eu-west-1.amazonaws.com</Endpoint>"),
    ])
    func nobodyElseIsFollowed(_ answer: AWSResponse) async throws {
        let caller = RecordingCaller { _ in answer }
        let client = client(caller)
        #expect(try await client.send(S3Call("GetObject", key: ObjectKey("k"))).status >= 300)
        #expect(caller.sent.count == 1 && client.foundRegion == nil)
    }

    @Test func aConfiguredEndpointIsNeverLeft() async throws {
        let caller = RecordingCaller { request in
            request.region == "eu-west-1"
                ? Self.ok
                : .error(400, "AuthorizationHeaderMalformed", more: "<Region>eu-west-1</Region>")
        }
        let client = client(caller, at: "store.example")
        #expect(try await client.send(S3Call("ListObjectsV2")).status == 200)
        #expect(Set(caller.sent.map(\.origin.host)) == ["photos.store.example"])
        #expect(caller.sent.map(\.region) == [nil, "eu-west-1"])
    }

    @Test func aBucketThatIsNowhereIsAskedForTwiceAtMost() async throws {
        let caller = RecordingCaller { request in
            .error(301, headers: Self.region)
        }
        let client = client(caller)
        #expect(try await client.send(S3Call("GetObject", key: ObjectKey("k"))).status == 301)
        #expect(caller.sent.count == 2 && client.foundRegion == nil)
    }

    @Test func aQuietHEADIsFollowedByOneOfTheBucket() async throws {
        let caller = RecordingCaller { request in
            if request.region == "eu-west-1" { return Self.ok }
            return request.call == "HeadBucket"
                ? .error(400, headers: Self.region) : .error(400)
        }
        let client = client(caller)
        let call = S3Call("HeadObject", method: "HEAD", key: ObjectKey("k"))
        #expect(try await client.send(call).status == 200)
        #expect(caller.sent.map(\.call) == ["HeadObject", "HeadBucket", "HeadObject"])
    }

    @Test func anotherErrorIsNoRedirect() async throws {
        let caller = RecordingCaller { _ in
            .error(400, "InvalidArgument", headers: Self.region)
        }
        #expect(try await client(caller).send(S3Call("ListObjectsV2")).status == 400)
        #expect(caller.sent.count == 1)
    }

    @Test func theOwnerIsExpectedOfTargetAndSource() async throws {
        let caller = RecordingCaller { _ in Self.ok }
        let client = client(caller, owner: "123456789012")
        _ = try await client.send(S3Call("ListObjectsV2"))
        _ = try await client.send(
            S3Call("CopyObject", method: "PUT", headers: [("x-amz-copy-source", "photos/k")]))
        _ = try await client.send(
            S3Call("CopyObject", method: "PUT", headers: [("x-amz-copy-source", "other/k")]))
        let names = caller.sent.map { Set($0.headers.map(\.name)) }
        #expect(names.allSatisfy { $0.contains("x-amz-expected-bucket-owner") })
        let source = "x-amz-source-expected-bucket-owner"
        #expect(names.map { $0.contains(source) } == [false, true, false])
        #expect(caller.sent.map(\.isSlow) == [false, true, true])
    }

    @Test func whoAsksPaysInEveryRequestWhereThatIsSaid() async throws {
        let caller = RecordingCaller { request in
            request.region == "eu-west-1" ? Self.ok : .error(301, headers: Self.region)
        }
        var place = S3Place(
            bucket: "photos", endpoint: Origin(host: "s3.amazonaws.com"), usesPath: false)
        place.requesterPays = true
        let paying = S3Client(place: place, caller: caller)
        _ = try await paying.send(S3Call("GetObject", key: ObjectKey("k")))
        _ = try await paying.send(S3Call("PutObject", method: "PUT", key: ObjectKey("k")))
        let payer = S3Place.payer
        #expect(caller.sent.count == 3)
        #expect(
            caller.sent.allSatisfy { request in
                request.headers.contains { $0.name == payer.name && $0.value == payer.value }
            })
        #expect(place.moved(to: Origin(host: "s3.eu-west-1.amazonaws.com")).requesterPays)
        let plain = RecordingCaller { _ in Self.ok }
        _ = try await client(plain).send(S3Call("ListObjectsV2"))
        #expect(!plain.sent[0].headers.contains { $0.name == payer.name })
    }
}
