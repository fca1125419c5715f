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
}
