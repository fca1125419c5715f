import Glibc
import MooringAWS
import MooringModel
import MooringS3
import Synchronization

// usage: listing-benchmark list|load|versions HOST PORT BUCKET CONCURRENCY [REQUESTS]
//   list: lists the bucket, prints keys, requests and seconds, and writes its requests to REQUESTS
//   load: sends the requests in REQUESTS again, in their order, and throws the answers away

/// Notes every request's parameters, so that a bare load can repeat them.
final class Recorder: AWSCaller {
    private let caller: any AWSCaller
    private let requests = Mutex<[AWSRequest]>([])

    init(_ caller: any AWSCaller) { self.caller = caller }

    var requestCounts: [String: Int] { caller.requestCounts }
    var recorded: [AWSRequest] { requests.withLock { $0 } }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        requests.withLock { $0.append(request) }
        return try await caller.send(request)
    }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func bytes(hex: Substring) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)!  // written by `hex` above
    }
}

func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}

func readRequests(_ path: String) -> [[AWSRequest.Parameter]] {
    var lines: [[AWSRequest.Parameter]] = []
    guard let file = fopen(path, "r") else { return [] }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    while getline(&line, &size, file) > 0, let text = line {
        lines.append(
            String(cString: text).split(separator: "\n").joined().split(separator: "&").map {
                let pair = $0.split(separator: "=", omittingEmptySubsequences: false)
                return .init(String(pair[0]), bytes(hex: pair[1]))
            })
    }
    free(line)
    return lines
}

/// Sends requests, so many at a time; the bytes that came back.
func load(
    _ requests: [[AWSRequest.Parameter]], place: S3Place, client: AWSClient, concurrency: Int
) async throws -> Int {
    let next = Atomic<Int>(0)
    return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<concurrency {
            group.addTask {
                var count = 0
                while true {
                    let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard index < requests.count else { return count }
                    let answer = try await client.send(
                        AWSRequest(
                            "ListObjectsV2", method: "GET", origin: place.origin,
                            path: place.path(), query: requests[index], isRepeatable: true))
                    count += answer.body.count
                }
            }
        }
        return try await group.reduce(0, +)
    }
}

let arguments = CommandLine.arguments
guard arguments.count >= 6, let port = Int(arguments[3]), let concurrency = Int(arguments[5]) else {
    print("usage: listing-benchmark list|load|versions HOST PORT BUCKET CONCURRENCY [REQUESTS]")
    exit(64)
}
let place = S3Place(
    bucket: arguments[4], endpoint: Origin(isSecure: false, host: arguments[2], port: port),
    usesPath: true)
let client = AWSClient(
    signer: Signer(region: "us-east-1", service: "s3"),
    credentials: GivenCredentials(
        Credentials(accessKeyID: "test", secretAccessKey: "testsecret")),
    connections: concurrency, clock: now)
let file = arguments.count > 6 ? arguments[6] : nil
let begin = ContinuousClock.now
var summary = ""
if arguments[1] == "load" {
    let requests = readRequests(file ?? "")
    let count = try await load(requests, place: place, client: client, concurrency: concurrency)
    summary = "requests \(requests.count) bytes \(count)"
} else {
    let recorder = Recorder(client)
    let caller: any AWSCaller = file == nil ? client : recorder
    let listing = S3Listing(
        S3Client(place: place, caller: caller), concurrency: concurrency, clock: now)
    var (keys, size) = (0, Int64(0))
    let count: ([ListedObject]) -> Void = { batch in
        keys += batch.count
        for object in batch { size += object.version.size }
    }
    let result =
        arguments[1] == "versions"
        ? try await listing.newestVersions(ListingScope()) { count($0) }
        : try await listing.objects(ListingScope()) { count($0) }
    summary = "keys \(keys) requests \(result.requests) complete \(result.isComplete)"
    for problem in result.problems.prefix(5) { print(problem.text) }
    if let file {
        let lines = recorder.recorded.map { request in
            request.query.map { "\($0.name)=\(hex($0.value))" }.joined(separator: "&") + "\n"
        }
        guard let output = fopen(file, "w") else { exit(2) }
        for line in lines { fputs(line, output) }
        fclose(output)
    }
}
print("\(summary) seconds \((ContinuousClock.now - begin) / .seconds(1))")
