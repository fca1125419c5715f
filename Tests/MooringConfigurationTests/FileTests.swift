import Glibc
import MooringConfiguration
import Testing

struct FileTests {
    private func refusal(_ path: String) -> String {
        do {
            _ = try Configuration.load(path: path, environment: [:])
            return "accepted"
        } catch {
            return error.description
        }
    }

    @Test("a file is read, and its paths start at its folder")
    func load() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("m.yaml", Array(Sample.minimal.utf8))
        let configuration = try Configuration.load(path: path, environment: [:])
        #expect(configuration.file == path)
        #expect(configuration.ledger == folder.path + "/mooring.ledger")
    }

    @Test("a file that is missing, a folder, not UTF-8 or too large is refused")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let missing = folder.path + "/none.yaml"
        #expect(refusal(missing) == "\(missing): cannot be opened: No such file or directory")
        #expect(refusal(folder.path) == "\(folder.path): cannot be read: Is a directory")
        #expect(refusal("a\u{0}b") == "a\u{FFFD}b: cannot be opened: NUL in its name")
        let bytes = Array("version: 1\nledger: ".utf8) + [0xFF, 0xFE]
        let latin = try folder.write("latin.yaml", bytes)
        #expect(refusal(latin) == "\(latin):2: not UTF-8; save the file as UTF-8 text")
        let large = try folder.write(
            "large.yaml", [UInt8](repeating: UInt8(ascii: "#"), count: Configuration.sizeLimit + 1))
        #expect(refusal(large) == "\(large): over 1 MiB, which no configuration needs")
        #expect(refusal("/dev/zero") == "/dev/zero: over 1 MiB, which no configuration needs")
    }

    @Test("a byte order mark and Windows line ends are read over")
    func lineEnds() throws {
        let text = "\u{FEFF}" + Sample.minimal.replacing("\n", with: "\r\n")
        #expect(try Sample.read(text) == Sample.read(Sample.minimal))
        #expect(Sample.refusal(text + "\r\nx: 1").hasPrefix("mooring.yaml:10: unknown key 'x'"))
    }

    @Test("the flag comes before the variable, and the variable before the standard places")
    func locate() throws {
        let environment = ["MOORING_CONFIG": "/b.yaml"]
        #expect(try Configuration.locate(flag: "/a.yaml", environment: environment) == "/a.yaml")
        #expect(try Configuration.locate(flag: nil, environment: environment) == "/b.yaml")
    }

    @Test(
        "when there is none, the refusal names what was looked for",
        .enabled(if: access("mooring.yaml", F_OK) != 0 && access("/etc/mooring", F_OK) != 0))
    func locateNone() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.locate(flag: nil, environment: ["MOORING_CONFIG": ""])
        }
        #expect(
            error?.description == "no configuration: looked for --config, MOORING_CONFIG, "
                + "./mooring.yaml and /etc/mooring/mooring.yaml; 'mooring init' writes one, and "
                + "'mooring demo DIR' makes an example to try")
    }

    @Test("the fingerprint follows the values, not comments, key order or formatting")
    func sameFingerprint() throws {
        let one = try Sample.read(Sample.with("confirm: auto\nlimits: {orphanShare: 1%}"))
        let other = try Sample.read(
            """
            # another look
            buckets: [{directory: "files/.", name: media}]
            confirm:   "auto"
            records: [{name: app, models: [{model: Song, table: Song}], sqlite: app.sqlite}]
            limits: {planExpiry: 1d, orphanShare: 1.00%}
            version: 1
            """)
        #expect(one.fingerprint == other.fingerprint)
        #expect(one.fingerprint.utf8.count == 64)
    }

    @Test("every kind of change gives another fingerprint")
    func otherFingerprints() throws {
        let changes = [
            "ledger: l", "confirm: always", "levels: {a: b/}", "levels: {guest: b/}",
            "race: {uploadWindow: 2h}", "race: {clockBound: 1m}", "race: {relink: never}",
            "race: {conflicts: lambda}", "race: {multipartWindow: 1d}", "race: {staleWindow: 4d}",
            "repair: {apply: true}", "repair: {orphan: keep}", "repair: {retention: 31d}",
            "repair: {overrides: [{model: Song, orphan: keep}]}",
            "repair: {overrides: [{source: app, orphan: keep}]}",
            "repair: {overrides: [{prefix: app, orphan: keep}]}",
            "repair: {overrides: [{prefix: app, orphan: requery}]}",
            "repair: {overrides: [{cause: cleared, orphan: keep}]}", "limits: {steps: 1}",
            "limits: {bytes: 1B}", "limits: {referenceDrop: 1%}", "limits: {orphanShare: 2%}",
            "limits: {planExpiry: 1h}", "gates: [orphan == 0]", "gates: [orphan == 1]",
            "gates: [new.orphan == 0]", "report: {keep: 1d}", "report: {directory: r}",
            "report: {formats: [csv]}",
        ].map(Sample.with)
        let models = [
            "table: t", "id: k", "id: [k, l]", "version: v", "changed: c", "deleted: d",
            "changed: c\nchangedBy: device", "identity: i", "visibility: owner",
            "files: [{field: f}]", "files: [{field: f, list: true}]",
            "files: [{field: f, complex: true}]", "files: [{field: f, level: any}]",
            "files: [{field: f, level: guest}]", "files: [{field: f, bucket: media}]",
            "files: [{field: f, template: '{id}'}]", "files: [{field: f, stored: 'a/{key}'}]",
            "files: [{field: f, stored: '{key}/a'}]", "relations: [{field: f, model: Song}]",
            "relations: [{field: f, model: Song, cascade: true}]",
        ].map(Sample.model)
        let buckets = [
            "trust: ctime", "prefixes: [a/]", "ignore: [a]", "quarantine: q",
            "derived: ['t/{key}']",
        ].map(Sample.bucket)
        let others = [
            Sample.minimal, Sample.replacing("sqlite:", "csv:"),
            Sample.replacing("sqlite: ./app.sqlite", "sqlite: a\n    taken: 2026-01-01"),
            Sample.replacing("directory:", "listing:"),
            Sample.replacing("directory:", "inventory:"), Sample.replacing("media", "m"),
            Sample.replacing("Song", "Album"), Sample.replacing("name: app", "name: b"),
        ]
        let texts = changes + models + buckets + others
        let fingerprints = try texts.map { try Sample.read($0).fingerprint }
        #expect(Set(fingerprints).count == texts.count)
    }
}
