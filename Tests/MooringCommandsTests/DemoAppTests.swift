import Glibc
import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringSQLite
import Testing

@testable import MooringCommands

struct DemoAppTests {
    private static let now = Instant(seconds: 1_790_000_000)

    @Test("A demo holds 200 records and 1,000 files")
    func counts() async throws {
        let scratch = try Scratch()
        let summary = try DemoApp.write(to: scratch.path("demo"), now: Self.now)
        #expect(summary.records == 200)
        #expect(summary.files == 1_000)

        let source = SQLiteSource(name: "app", path: scratch.path("demo/app.sqlite"))
        var rows = 0
        let result = try await source.scan(.everything) { rows += $0.rows.count }
        #expect(result.problems == [])
        #expect(rows == 200)
        #expect(try source.journalMode() == "wal")
        let files = try scratch.files(below: "demo/files")
        #expect(files.count { !$0.starts(with: ".mooring/".utf8) } == 1_000)
        #expect(files.count == 1_001)
        #expect(
            try scratch.names(in: "demo") == [
                "README.md", "app.sqlite", "files", "mooring-wrong-prefix.yaml", "mooring.yaml",
                "phone.sqlite",
            ])
    }

    @Test("Two demos of one moment are equal byte for byte")
    func determinism() throws {
        let scratch = try Scratch()
        for name in ["one", "two"] {
            _ = try DemoApp.write(to: scratch.path(name), now: Self.now)
        }
        let names = try scratch.files(below: "one")
        // Compared before the macro, which takes minutes to describe how long lists differ.
        let hasSameNames = try scratch.files(below: "two") == names
        try #require(hasSameNames)
        for name in names {
            let one = try scratch.contents(of: Array("one/".utf8) + name)
            let two = try scratch.contents(of: Array("two/".utf8) + name)
            let isSame = one == two
            #expect(isSame, "\(String(decoding: name, as: UTF8.self))")
        }
    }

    @Test("A file gets the age that its record's story needs")
    func ages() throws {
        let scratch = try Scratch()
        _ = try DemoApp.write(to: scratch.path("demo"), now: Self.now)
        let content = DemoContent(now: Self.now)
        for file in content.files {
            let path = Array("demo/files/".utf8) + file.key.bytes
            #expect(try scratch.modified(path) == file.modified)
        }
        #expect(content.files.allSatisfy { $0.modified < Self.now })
    }

    @Test("A place that is taken is left alone")
    func refusesWhatIsThere() throws {
        let scratch = try Scratch()
        try scratch.write("mine", to: "taken/notes.txt")
        try scratch.write("mine", to: "file")
        for name in ["taken", "taken/", "file", "missing/demo", ".", "taken/..", ""] {
            #expect(throws: SetupError.self, "\(name)") {
                try DemoApp.write(to: name.isEmpty ? "" : scratch.path(name), now: Self.now)
            }
        }
        #expect(try scratch.names(in: "") == ["file", "taken"])
        #expect(try scratch.names(in: "taken") == ["notes.txt"])
    }

    @Test("An empty folder makes room for a demo")
    func fillsAnEmptyFolder() throws {
        let scratch = try Scratch()
        #expect(mkdir(scratch.path("empty"), 0o755) == 0)
        _ = try DemoApp.write(to: scratch.path("empty/"), now: Self.now)
        #expect(try scratch.names(in: "empty").contains("mooring.yaml"))
    }

    @Test("A demo that cannot be finished leaves nothing behind")
    func leavesNothingBehind() throws {
        let scratch = try Scratch()
        var folder = try DemoFolder(at: scratch.path("demo"))
        try folder.write([1], to: ObjectKey("a/b/c"), modified: Self.now)
        try scratch.write("mine", to: "demo/notes.txt")
        #expect(throws: SetupError.self) { try folder.complete() }
        folder.discard(alsoFiles: ["app.sqlite"])
        #expect(try scratch.names(in: "") == ["demo"])
        #expect(try scratch.names(in: "demo") == ["notes.txt"])
    }

    @Test("The demo's configuration is read without a problem or a warning")
    func configuration() throws {
        let configuration = try Configuration.parse(
            DemoTexts.configuration, file: "/demo/mooring.yaml", environment: [:])
        #expect(configuration.warnings == [])
        #expect(configuration.guardsOff == [])
        #expect(configuration.ledger == "/demo/mooring.ledger")
        #expect(configuration.repair.apply == false)
        #expect(configuration.records.map { $0.mapping.models.count } == [6, 6])
        #expect(configuration.records.map(\.replicaOf) == [nil, "app"])
    }

    @Test("The wrong configuration differs in one level, and in where it keeps its own state")
    func wrongConfiguration() throws {
        let (right, wrong) = (DemoTexts.configuration, DemoTexts.wrongPrefix)
        let pairs = zip(right.split(separator: "\n"), wrong.split(separator: "\n")).dropFirst(2)
        let differing = pairs.filter { $0 != $1 }.map { "\($1)" }.filter { !$0.contains("#") }
        #expect(
            differing.map { $0.drop { $0 == " " } } == [
                "ledger: ./wrong-prefix.ledger", "level: private",
                "report: {directory: Reports/WrongPrefix, formats: [json, html, text]}",
            ])
        let configuration = try Configuration.parse(
            wrong, file: "/demo/mooring-wrong-prefix.yaml", environment: [:])
        #expect(configuration.warnings == [])
    }

    @Test("Everything that the embedded stores can show is planted")
    func completeness() {
        let planted = Set(
            DemoContent(now: Self.now).planted.map { [$0.kind.rawValue, $0.cause?.rawValue] })
        let missing = StrategyMatrix.rows.map { [$0.kind.rawValue, $0.cause?.rawValue] }
            .filter { !planted.contains($0) && $0[0] != FindingKind.mappingError.rawValue }
        #expect(
            missing == [
                ["dangling", "deleted"], ["dangling", "vanished"], ["abandoned-upload", nil],
                ["stale-copy", "pending"],
            ])
        for row in missing { #expect(Self.readme.contains("\(row[1] ?? row[0] ?? "")")) }
    }

    private static var readme: String {
        DemoTexts.readme(
            DemoSummary(
                directory: "demo", records: 0, copies: 0, files: 0, bytes: 0, quarantined: 0,
                planted: []))
    }

    @Test("No line of the summary is wider than a terminal")
    func width() throws {
        let scratch = try Scratch()
        let summary = try DemoApp.write(to: scratch.path("demo"), now: Self.now)
        #expect(summary.text.split(separator: "\n").dropLast().allSatisfy { $0.utf8.count < 80 })
    }

    @Test("Images are of 60 to 300 bytes and begin as PNG")
    func images() {
        var content = DemoContent(now: Self.now)
        for _ in 0..<100 {
            let image = content.image()
            #expect((60...300).contains(image.count))
            #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test("Every finding of the README is planted, and few enough orphans to pass the guard")
    func planted() {
        let content = DemoContent(now: Self.now)
        let kinds = Set(content.planted.map(\.kind))
        #expect(
            kinds == [
                .orphan, .dangling, .shared, .exposed, .invalidKey, .emptyObject,
                .danglingRelation, .staleCopy, .unmappedReference,
            ])
        #expect(Set(content.planted.map(\.verdict)) == [.settled, .explained, .undecided])
        let kept: [FindingCause] = [.cleared, .lostUpdate, .unattributed]
        let removable = content.planted.filter { planted in
            planted.kind == .orphan && planted.verdict == .settled
                && !kept.contains(where: { $0 == planted.cause })
        }
        // One superseded orphan more waits for its owner.
        #expect(removable.reduce(0) { $0 + $1.count } == 10)
    }
}
