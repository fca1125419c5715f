import Foundation
import Glibc
import Testing

/// The app of the race: four tables, a bucket, and bounds of a second or two.
///
/// `Song` and `Album` tell versions and change times, and their keys name their owners; a `Post`
/// tells neither, and its keys name nobody; `Note` is a table that the configuration does not name.
final class RaceApp: Folder {
    /// How long the race goes on, and under which bounds, in milliseconds.
    struct Course {
        let seed: UInt64
        let seconds: Int
        let uploadWindow: Int
        let staleWindow: Int
        /// How long quarantine keeps, in seconds: not at all, or so long that a key that comes back
        /// is an orphan again, and quarantined again, beside its older copy.
        let retention: Int

        /// The course of a seed: each has its own of four pairs of bounds, two of them lopsided,
        /// so that one bound alone does not stand in for the other. A short race has the shortest
        /// ones, since Mooring waits for their sum, and more than once.
        init(seed: UInt64, seconds: Int) {
            (self.seed, self.seconds) = (seed, seconds)
            let bounds = [(1, 1), (4, 1), (1, 4), (2, 2)]
            let (upload, stale) = seconds < 30 ? (1, 1) : bounds[Int(seed % 4)]
            (uploadWindow, staleWindow) = (upload * 1_000, stale * 1_000)
            retention = seed % 2 == 0 ? 2 * (upload + stale) + 2 : 0
        }
    }

    let course: Course
    /// Where the records are.
    let records: any RaceRecords
    /// Where the files are.
    let bucket: any RaceBucket

    /// Makes the app with some records that nobody touches, so that there are always references.
    /// Its files lie in a folder of its own, or in the bucket that is given.
    init(
        _ course: Course, bucket given: S3RaceBucket? = nil,
        records makeRecords: (String) throws -> any RaceRecords = { try SQLiteRaceRecords($0) }
    ) throws {
        let folder = try Folder.make()
        self.course = course
        bucket = try given ?? FolderRaceBucket(folder + "/files")
        records = try makeRecords(folder)
        super.init(path: folder)
        for number in 0..<5 {
            try records.rest("rest\(number)")
            try bucket.rest("songs/rest\(number)")
        }
        try configure()
    }

    // What clears a key on purpose and what loses an update leave files that are kept by default;
    // here every orphan has to go in the end. Without retention nothing but the race model's
    // waits stands between quarantine and sweep, and with some a key has time to be there twice.
    private func configure() throws {
        // A field without a template may upload to any key twice; where nothing guards such a key,
        // nothing would ever be taken away.
        let posts = bucket.isGuarded ? "" : #", template: "posts/{uuid}.bin""#
        try write(
            "mooring.yaml",
            """
            version: 1
            ledger: ./mooring.ledger
            records:
              - name: app
                \(records.configuration)
                models:
                  - model: Song
                    version: version
                    changed: changed
                    files: [{field: cover, level: songs, template: "{id}"}]
                  - model: Album
                    version: version
                    changed: changed
                    files: [{field: images, list: true, level: albums, template: "{id}-{uuid}"}]
                  - model: Post
                    files: [{field: file, complex: true\(posts)}]
            buckets:
              - name: media
                \(bucket.configuration)
            levels: {songs: "songs/", albums: "albums/"}
            race:
              uploadWindow: \(course.uploadWindow / 1_000)s
              staleWindow: \(course.staleWindow / 1_000)s
              relink: possible
            repair:
              apply: true
              orphan: quarantine
              dangling: nullify
              overrides:
                - {cause: cleared, orphan: quarantine}
                - {cause: lost-update, orphan: quarantine}
              retention: \(course.retention)s
            limits:
              {orphanShare: 100%, recordShare: 100%, steps: 100000, referenceDrop: 100%,
               objectDrop: 100%}
            report: {directory: Reports/Runs, formats: [json]}
            """)
    }

    // MARK: Programs

    /// Runs `mooring`, or what takes its place.
    func mooring(_ arguments: String...) throws -> Program.Result {
        try Program.run(arguments, in: path, environment: bucket.environment)
    }

    /// The logs of the devices, by name.
    var logs: [String] { ["1", "2"].map { path + "/device-\($0).log" } }

    /// Starts both devices.
    func startDevices() throws -> [RunningProgram] {
        let device = Program.beside("racing-device")
        return try logs.enumerated().map { number, log in
            let words = [
                device, records.place, bucket.place,
                "\((course.seed &* 2 &+ UInt64(number)) % 1_000_000_007)", "\(course.seconds)",
                "\(course.uploadWindow)", "\(course.staleWindow)", log,
            ]
            return try RunningProgram(words, in: path, environment: bucket.environment)
        }
    }

    // MARK: What is there

    /// A record's place, for messages.
    struct Place: Hashable, CustomStringConvertible {
        let table: String
        let id: String

        var description: String { "\(table)/\(id)" }
    }

    /// Every key that a record holds, read without any of Mooring's code.
    func references() throws -> [(place: Place, key: String)] {
        try [("Song", "cover"), ("Album", "images"), ("Post", "file"), ("Note", "body")]
            .flatMap { table, field in
                try records.values(of: field, in: table).flatMap { id, value in
                    RaceKeys.held(table, value).map {
                        (place: Place(table: table, id: id), key: $0)
                    }
                }
            }
    }

    /// Copies the folder to a place that outlives the test, for a person to read.
    func keep() -> String {
        let kept = path + "-kept"
        Folder.command(["cp", "-a", path, kept])
        return kept
    }
}

/// What records of the race mean by their values.
enum RaceKeys {
    static func held(_ table: String, _ value: String?) -> [String] {
        guard let value else { return [] }
        switch table {
        case "Song": return ["songs/" + value]
        case "Album": return strings(value).map { "albums/" + $0 }
        case "Post": return [key(value)].compactMap { $0 }
        default:
            return value.split { " ,".contains($0) }.map(String.init).filter { $0.contains("/") }
        }
    }

    private static func strings(_ text: String) -> [String] {
        // What is no list holds no key; the devices write nothing but lists.
        (try? JSON(parsing: text))?.elements.compactMap(\.string) ?? []
    }

    private static func key(_ text: String) -> String? {
        // As above, of objects.
        (try? JSON(parsing: text))?["key"].string
    }
}
