import Glibc
import MooringAWS
import MooringModel
import TestServers
import Testing

@testable import MooringS3

/// Listings of real servers: MiniStack always, Ceph and rclone with `make integration`.
@Suite(.requires(.ministack), .timeLimit(.minutes(60))) struct ServerListingTests {
    private static let kinds: [ServerKind] =
        getenv("MOORING_INTEGRATION") == nil ? [.ministack] : [.ministack, .ceph, .rclone]

    @Test func listsWhatWasPut() async throws {
        for kind in Self.kinds {
            let server = try await S3TestServer.start(kind)
            let (parts, port) = ([server.endpoint.host], server.endpoint.port)
            let client = AWSClient(
                signer: Signer(region: "us-east-1", service: "s3"),
                credentials: GivenCredentials(
                    Credentials(accessKeyID: "test", secretAccessKey: "testsecret")),
                connections: 16, clock: Self.now)
            let place = S3Place(
                bucket: "list-\(UInt32.random(in: 0...UInt32.max))",
                endpoint: Origin(isSecure: false, host: String(parts[0]), port: port),
                usesPath: true)
            let bucket = S3Client(place: place, caller: client)
            #expect(try await bucket.send(S3Call("CreateBucket", method: "PUT")).status == 200)
            let keys = Self.keys
            let put = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
                for lane in 0..<16 {
                    group.addTask {
                        var put: [[UInt8]] = []
                        for index in stride(from: lane, to: keys.count, by: 16) {
                            let call = S3Call(
                                "PutObject", method: "PUT", key: ObjectKey(keys[index]), body: [1])
                            if try await bucket.send(call).status == 200 { put.append(keys[index]) }
                        }
                        return put
                    }
                }
                return try await group.reduce(into: [[UInt8]]()) { $0 += $1 }
            }
            let listing = S3Listing(bucket, concurrency: 8, pageSize: 100, clock: Self.now)
            let (found, result) = try await Listings.objects(listing)
            #expect(put.count > 1_000, "\(server)")
            #expect(result.isComplete, "\(server): \(result.problems)")
            #expect(Set(found) == Set(put) && found.count == put.count, "\(server)")
        }
    }

    private static var keys: [[UInt8]] {
        var keys = (0..<1_200).map { index in
            Array(
                "\(["private", "protected", "public"][index % 3])/id\(index % 70)/\(index).jpg".utf8
            )
        }
        keys += Listings.keys(
            "a b", "a+b", "a%20b", "a%2Bb", "a+ b", "q&<>'\"", "é/ü", "e\u{301}", "日本/x y", "~!*()",
            "tab\tend")
        return keys
    }

    private static let now: @Sendable () -> Instant = {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(seconds: Int64(time.tv_sec))
    }
}
