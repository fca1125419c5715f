import ArgumentParser
import MooringDecisions
import MooringModel
import Testing

@testable import MooringCommands
@testable import MooringConfiguration

/// What is said of a command that is used wrongly: nothing is read and nothing is changed by it.
@Suite("The words of wrong usage")
struct UsageWordsTests {
    private func told(_ words: String) -> String {
        do {
            // An argument without any character is written as two quotes.
            let arguments = words.split(separator: " ").map { $0 == "''" ? "" : String($0) }
            _ = try MooringCommand.parseAsRoot(arguments)
            return ""
        } catch {
            return MooringCommand.message(for: error)
        }
    }

    @Test(
        "a request that means nobody, or everybody, is refused",
        arguments: [
            ("erase", "erase needs one of --identity, --identity-base64 and --prefix"),
            (
                "erase --identity a --prefix b",
                "erase needs one of --identity, --identity-base64 and --prefix"
            ),
            ("erase --prefix ''", "--prefix '' would mean every object; it is refused"),
            ("erase --identity-base64 ?", "--identity-base64 is no base64"),
            (
                "erase --identity a/b",
                "an identity is one part of a key: not empty, and without a slash; --prefix takes "
                    + "the beginning of keys"
            ),
            (
                "erase --identity ''",
                "an identity is one part of a key: not empty, and without a slash; --prefix takes "
                    + "the beginning of keys"
            ),
        ])
    func erase(words: String, message: String) {
        #expect(told(words) == message)
    }

    @Test(
        "options that contradict each other, or belong to nothing, are refused",
        arguments: [
            (
                "init --amplify a --schema b",
                "--amplify stands without --schema, --database and --objects"
            ),
            ("init --api a", "--api and --env belong to --amplify, which was not given"),
            (
                "init --database a",
                "Name an --amplify project, the app's --schema, or its --database and its folder "
                    + "of --objects."
            ),
            ("check --except a.b", "--except belongs to --schema, which was not given"),
            ("diff a b c", "diff compares two runs; 3 given"),
            ("presign k --expires 8d", "--expires needs 1s to 7d; found '8d'"),
            (
                "simulate --runs 0",
                "--runs and --devices are above 0, devices at most 64, records 10 to 250"
            ),
            ("simulate --json --trace", "--json or --trace, not both"),
            ("simulate --safeguards --exhaustive", "--safeguards explores its own scenarios"),
            ("simulate --seconds 1 --seeds 1", "--seconds or --seeds, not both"),
        ])
    func options(words: String, message: String) {
        #expect(told(words) == message)
    }

    @Test("an unknown protocol or scenario is answered with those that there are")
    func known() {
        #expect(told("simulate --protocol x").hasPrefix("no protocol 'x'; there are "))
        #expect(told("simulate --scenario x").hasPrefix("no scenario 'x'; there are "))
    }

    @Test(
        "an acceptance of another form is refused, and says which form is taken",
        arguments: [
            ("steps:media=5", "--accept steps takes no place; found 'media'"),
            ("orphanShare:media=5%@x", "--accept orphanShare:media: 'x' is not a run's name"),
            (
                "orphanShare:media=5",
                "--accept orphanShare:media: needs a share from 0% to 100%, such as 1% or 0.5%; "
                    + "found '5'"
            ), ("steps=x", "--accept steps: needs a whole number; found 'x'"),
            (
                "identity:",
                "--accept identity:NAME takes the name of a bucket or source; not 'identity:'"
            ),
            (
                "vanished:a/=0",
                "--accept vanished:PREFIX=COUNT takes how keys begin and how many references may "
                    + "be without their objects; not 'vanished:a/=0'"
            ),
        ])
    func acceptances(entry: String, message: String) {
        #expect(told("audit --accept \(entry)") == message)
        #expect(
            told("audit --accept x=1").hasPrefix(
                "--accept takes GUARD[:PLACE]=VALUE[@RUN] with one of "))
    }

    @Test("a store that the configuration does not name cannot be accepted")
    func unknownStore() throws {
        let configuration = try Configuration.parse(
            """
            version: 1
            records: [{name: app, sqlite: a.db, models: [{model: M}]}]
            buckets: [{name: media, directory: files}]
            """, file: "/mooring.yaml", environment: [:])
        let options = try AcceptOptions.parse(["--accept", "identity:medai"])
        let error = #expect(throws: ValidationError.self) {
            try options.refuseUnknown(try options.acceptance(), configuration)
        }
        #expect(error?.message == "--accept identity:NAME knows app, media; not 'medai'")
    }

    @Test("a bucket of S3 is named where there is none, or more than one")
    func s3Buckets() throws {
        func told(_ buckets: String, _ name: String? = nil) throws -> String {
            let configuration = try Configuration.parse(
                """
                version: 1
                records: [{name: app, sqlite: a.db, models: [{model: M}]}]
                buckets: [\(buckets)]
                """, file: "/mooring.yaml", environment: [:])
            do {
                return try configuration.s3Bucket(named: name).bucket.name
            } catch {
                return "\(error)"
            }
        }
        let (folder, one) = ("{name: f, directory: d}", "{name: a, s3: {bucket: a}}")
        #expect(
            try told(folder) == "the configuration has no s3 bucket: 'f' is a directory")
        #expect(
            try told("\(one), {name: b, s3: {bucket: b}}")
                == "there are several s3 buckets: a, b; name one with --bucket")
        #expect(
            try told("\(one), \(folder)", "x")
                == "no bucket is named 'x'; the configuration has a, f")
        #expect(
            try told("\(one), \(folder)", "f") == "bucket 'f' is a directory, and no bucket of S3")
        #expect(try told("\(one), \(folder)") == "a")
    }

    @Test("a file that is no plan is refused with what to do")
    func plans() throws {
        for (path, end) in [
            ("/etc/hostname", "; make one with mooring plan"), ("/nowhere/plan.json", ")"),
        ] {
            let error = #expect(throws: CommandError.self) { try PlanFile.read(path) }
            let text = error.map { "\($0)" } ?? ""
            let found =
                path.hasPrefix("/etc")
                ? "no plan, " : "could not be read (No such file or directory"
            #expect(text.hasPrefix("\(path): \(found)") && text.hasSuffix(end), "\(text)")
        }
    }
}
