import Glibc
import MooringAWS
import MooringModel
import MooringS3
import Synchronization

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

/// Bytes as hexadecimal digits.
func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

/// The bytes of hexadecimal digits.
func bytes(hex: Substring) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
}

/// The seconds that all cores worked for this process so far.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The time.
func now() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
}

/// The parameters of the requests that a listing wrote down.
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

/// Numbers, each given once.
final class Counter: Sendable {
    private let value = Atomic<Int>(0)

    /// The next number, from 0.
    func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Sends requests, so many at a time; the bytes that came back.
func load(
    _ requests: [[AWSRequest.Parameter]], place: S3Place, client: some AWSCaller, concurrency: Int
) async throws -> Int {
    let next = Counter()
    return try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<concurrency {
            group.addTask {
                var count = 0
                while true {
                    let index = next.take()
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
