import MooringAWS
import Testing

@Suite struct RequestTrafficTests {
    @Test(arguments: [
        ("ListObjectsV2", "GET", RequestTraffic.CostClass.a), ("PutObject", "PUT", .a),
        ("CopyObject", "PUT", .a), ("CompleteMultipartUpload", "POST", .a),
        ("ListParts", "GET", .a), ("HeadObject", "HEAD", .b), ("GetObject", "GET", .b),
        ("GetBucketVersioning", "GET", .b), ("DeleteObject", "DELETE", .free),
        ("DeleteObjects", "POST", .free), ("AbortMultipartUpload", "DELETE", .free),
    ])
    func chargesAsS3Does(_ call: String, _ method: String, _ expected: RequestTraffic.CostClass) {
        #expect(RequestTraffic.CostClass(call: call, method: method) == expected)
    }

    @Test func estimatesACost() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200, body: "0123456789") }
        let client = TestClient.make()
        for _ in 0..<3 { _ = try await client.send(TestClient.read(server.origin)) }
        _ = try await client.send(TestClient.write(server.origin))
        var request = TestClient.read(server.origin)
        request.call = "ListObjectsV2"
        for _ in 0..<2 { _ = try await client.send(request) }
        var traffic = client.traffic
        #expect(
            traffic.calls == ["GetObject": 3, "DeleteObject": 1, "ListObjectsV2": 2]
                && client.requestCounts == traffic.calls)
        #expect(traffic.bytesReceived == 60)
        #expect(traffic.classA == 2 && traffic.classB == 3 && traffic.free == 1)
        let prices = RequestPrices(classA: 5, classB: 0.5, source: "a test", asOf: "today")
        #expect(abs(prices.estimate(traffic) - 0.0115) < 1e-12)
        traffic.add(traffic)
        #expect(traffic.calls["GetObject"] == 6 && traffic.classA == 4)
    }

    @Test func tellsHowManyWereUnderWay() {
        let start = ContinuousClock.now
        var traffic = RequestTraffic(allowed: 8)
        #expect(traffic.atATime == nil && traffic.span == .zero)
        traffic.countSending("HeadObject", method: "HEAD")
        traffic.countTime(from: start + .seconds(2), to: start + .seconds(4))
        traffic.countTime(from: start, to: start + .seconds(3))
        #expect(traffic.span == .seconds(4) && traffic.busy == .seconds(5))
        #expect(traffic.atATime == 1.25)
        var other = RequestTraffic(allowed: 8)
        // A client that was never used keeps nothing waiting.
        other.add(traffic)
        traffic.add(RequestTraffic(allowed: 8))
        #expect(other.allowed == 8 && traffic.allowed == 8)
        #expect(other.span == .seconds(4) && other.atATime == 1.25)
        other.add(traffic)
        #expect(other.allowed == 16 && other.span == .seconds(4) && other.atATime == 2.5)
    }

    @Test func countsTheTimeOfEachRequest() async throws {
        let server = try await ScriptedServer { _, _ in .answer(200, body: "0123456789") }
        let client = TestClient.make()
        for _ in 0..<3 { _ = try await client.send(TestClient.read(server.origin)) }
        let traffic = client.traffic
        // One after the other: never more than one, and some time each.
        #expect(traffic.busy > .zero && traffic.busy <= traffic.span)
        #expect(traffic.allowed > 0)
    }
}
