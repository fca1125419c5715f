import Foundation
import Glibc
import TestServers
import SeededNumbers
import Testing

/// Two processes that play devices against real stores without pause, while `mooring run` loops
/// beside them with bounds of a few seconds. `make test` runs it short; `make race` runs a
/// minute for each seed.
@Suite("Race", .serialized)
struct RaceTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// How long the devices play for each seed: MOORING_RACE_SECONDS, else a short while.
    static let seconds = Int(environment["MOORING_RACE_SECONDS"] ?? "") ?? 8

    /// The seeds: those of MOORING_RACE_SEEDS, else two new ones, or three for a longer race.
    static let seeds: [UInt64] = {
        let text = environment["MOORING_RACE_SEEDS"] ?? ""
        let given = text.split { " ,".contains($0) }.compactMap { UInt64($0) }
        let count = environment["MOORING_RACE_SECONDS"] == nil ? 2 : 3
        return given.isEmpty
            ? Seed.several(count, "the race") : given
    }()

    /// The same seeds on S3: each with and without versions in a longer race, else in turn.
    static let courses: [(seed: UInt64, isVersioned: Bool)] =
        environment["MOORING_RACE_SECONDS"] == nil
        ? seeds.enumerated().map { ($1, $0 % 2 == 1) }
        : seeds.flatMap { [($0, false), ($0, true)] }

    @Test(
        "Beside devices at work nothing live is lost, and in the end no orphan is left",
        arguments: seeds)
    func folder(seed: UInt64) throws {
        try race(RaceApp(RaceApp.Course(seed: seed, seconds: Self.seconds)))
    }

    @Test(
        "The same on S3 that honours conditions", .requires(.ministack), arguments: courses)
    func ministack(seed: UInt64, isVersioned: Bool) async throws {
        try await race(seed, on: .ministack(), versioned: isVersioned)
    }

    @Test(
        "The same on S3 that ignores conditions on DELETE", .requires(.ceph), arguments: courses)
    func ceph(seed: UInt64, isVersioned: Bool) async throws {
        try await race(seed, on: .ceph(), versioned: isVersioned)
    }

    // Seed 457830 once left a reference dangling for good: a device had deleted at the key once
    // more what lay in quarantine already, so that its restore was refused in each run.
    @Test(
        "The same with the records in DynamoDB", .requires(.ministack),
        arguments: courses)
    func dynamodb(seed: UInt64, isVersioned: Bool) async throws {
        let bucket = try await S3RaceBucket(.ministack(), versioned: isVersioned)
        let server = try await DynamoDBTestServer.start(.ministack)
        let course = RaceApp.Course(seed: seed, seconds: Self.seconds)
        try race(
            RaceApp(course, bucket: bucket) {
                try DynamoDBRaceRecords(server, folder: $0)
            })
    }

    private func race(_ seed: UInt64, on server: S3TestServer, versioned: Bool) async throws {
        let bucket = try await S3RaceBucket(server, versioned: versioned)
        let course = RaceApp.Course(seed: seed, seconds: Self.seconds)
        try race(RaceApp(course, bucket: bucket))
    }

    private func race(_ app: RaceApp) throws {
        let seed = app.course.seed
        var log = RunLog()
        let devices = try app.startDevices()
        while try devices.contains(where: { try $0.poll() == nil }) {
            try log.add(try app.mooring("run"))
        }
        let during = log.runs
        for device in devices {
            let result = try device.wait()
            #expect(result.status == 0, "seed \(seed): \(result.told)")
        }
        try settle(app, &log)
        let referee = try RaceReferee(app)
        print(
            """
            race: \(app.bucket.configuration), seed \(seed), \(Self.seconds) s, \
            U \(app.course.uploadWindow) ms, S \(app.course.staleWindow) ms; \
            \(during) runs beside the devices, \(log.runs - during) after them, \
            statuses \(log.statuses)
            \(referee.account())
            """)
        let breaches = log.failures + (try referee.breaches())
        guard !breaches.isEmpty else { return }
        let list = breaches.prefix(40).joined(separator: "\n")
        Issue.record(
            """
            seed \(seed), \(Self.seconds) s, \(app.bucket.configuration): \
            \(breaches.count) breaches
            \(list)
            the folder is kept at \(app.keep())
            """)
    }

    // What is left needs the grace, its quarantine, and further runs; a minute is ample, and on a
    // busy machine so many runs.
    private func settle(_ app: RaceApp, _ log: inout RunLog) throws {
        let end = time(nil) + 60
        var rounds = 0
        repeat {
            rounds += 1
            try log.add(try app.mooring("run"))
            try log.add(try app.mooring("sweep", "--apply"))
            usleep(300_000)
        } while try (time(nil) < end || rounds < 30) && !RaceReferee(app).left().isEmpty
    }
}

/// How the runs of one race ended.
struct RunLog {
    private(set) var runs = 0
    private(set) var statuses: [Int32: Int] = [:]
    private(set) var failures: [String] = []

    /// Done, or repairs left undone because a device was faster: anything else is a failure.
    mutating func add(_ result: Program.Result) throws {
        runs += 1
        statuses[result.status, default: 0] += 1
        if ![0, 5].contains(result.status) {
            failures.append("mooring ended with \(result.told)")
        }
    }
}
