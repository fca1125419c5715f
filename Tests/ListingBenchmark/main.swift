import Glibc
import MooringAWS
import MooringModel
import MooringS3

// usage: listing-benchmark list|load|versions HOST PORT BUCKET CONCURRENCY [REQUESTS]
//   list: lists the bucket, prints keys, requests and seconds, and writes its requests to REQUESTS
//        listing-benchmark read PAGES
//   read: reads so many pages of a thousand keys that no store had to make
//   load: sends the requests in REQUESTS again, in their order, and throws the answers away

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "read", let count = Int(arguments[2]), count > 0 {
    let server = PageServer(count: count)
    let place = S3Place(
        bucket: "million", endpoint: Origin(isSecure: false, host: "none", port: 1),
        usesPath: true)
    let listing = S3Listing(S3Client(place: place, caller: server), concurrency: 1, clock: now)
    let (begin, used) = (ContinuousClock.now, processorSeconds())
    var keys = 0
    let result = try await listing.objectBatches(ListingScope()) { keys += $0.count }
    let seconds = (ContinuousClock.now - begin) / .seconds(1)
    print(
        "keys \(keys) complete \(result.isComplete) pages a second \(Double(count) / seconds), "
            + "a CPU second \(Double(count) / (processorSeconds() - used))")
    exit(result.isComplete ? 0 : 1)
}
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
        ? try await listing.versions(ListingScope()) { batch in
            count(batch.map { ListedObject(key: $0.key, version: $0.version) })
        }
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
