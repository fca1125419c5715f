import Foundation
import MooringConfiguration
import MooringFiles
import MooringModel
import Testing

@testable import MooringSpark

/// What the engine makes of a Spark that does not do what it was asked for: the programs that stand
/// for spark-submit here are a few lines of shell.
@Suite("A Spark that fails")
struct EngineTests {
    private let home: TemporaryFolder
    private var folder: String { home.path }
    private var faces: [String] {
        get throws {
            try home.facts("files", ["songs.csv"]) + home.facts("listings", ["media.csv"])
        }
    }

    init() throws {
        home = try TemporaryFolder()
        try write("id,key\n1,a\n2,b\n", "songs.csv")
        try write("key,size,lastModified\na,1,2020-01-01T00:00:00Z\n", "media.csv")
    }

    @Test(arguments: [
        ("exit 1", "ended with status 1"),
        (
            "echo mooring failed AnalysisException SOME_CLASS; exit 1",
            "AnalysisException SOME_CLASS"
        ),
        ("kill -9 $$", "was killed by signal 9"),
        ("echo 'All masters are unresponsive! Giving up.' >&2; exit 1", "does not answer"),
        ("echo '[UNRESOLVED_ROUTINE] x' >&2; exit 1", "lacks a function"),
        ("echo 'zone of an executor sets its clocks' >&2; exit 1", "ended with status 1"),
        ("echo 'x: the time zone of an executor sets its clocks' >&2; exit 1", "a clock showed"),
        ("echo '[PATH_NOT_FOUND] x' >&2; exit 1", "does not find a file"),
        ("echo 'mooring failed AnalysisException PATH_NOT_FOUND'; exit 1", "does not find a file"),
        ("exit 0", "left no marker of its end"),
    ])
    func aJobThatFailsIsToldWithItsCause(_ body: String, _ words: String) async throws {
        try await expectFailure(words, of: program(body))
    }

    @Test func aProgramThatIsNotThereIsTold() async throws {
        try await expectFailure("there is no program", of: folder + "/none")
    }

    @Test func aWorkFolderThatCannotBeMadeIsTold() async throws {
        try await expectFailure(
            "no folder can be made", of: program("exit 0"), work: folder + "/songs.csv/below")
    }

    /// A job that ended, and says other numbers than the files.
    @Test(arguments: [
        (["lines 0 11 3"], "Spark read 14 bytes of"),
        (["lines 0 12 3", "rows 0 0 2", "listed 0 1 1"], "Spark read 2 bytes of"),
    ])
    func whatWasReadHasToBeAllOfIt(_ facts: [String], _ words: String) async throws {
        let facts = try faces + facts
        try await expectFailure(words, of: program(TemporaryFolder.writing(facts)))
    }

    @Test("the files that Spark finds have to be those that lie here")
    func files() async throws {
        let songs = try home.facts("files", ["songs.csv"])[0]
        let size = songs.replacingOccurrences(of: " 15@", with: " 14@")
        let second = try #require(Int(songs.split(separator: "@")[1]))
        let later = songs.replacingOccurrences(of: "@\(second)", with: "@\(second + 1)")
        for found in [[], [size], [later], [songs, songs]] {
            let facts = found + ["lines 0 12 3", "rows 0 0 2"]
            try await expectFailure(
                "Spark finds other files for \(folder)/songs.csv",
                of: program(TemporaryFolder.writing(facts)))
        }
    }

    @Test("a later stage has to read all that it is asked, and all that was read before")
    func asked() async throws {
        var needs = NarrowingNeeds()
        needs.append(NarrowingNeed(.value, 0, [0x61]))
        // "value 0 -1 61" and "later" facts, in turn.
        for (rows, asked, words) in [
            ("rows 0 0 2", "needs 0 13 1", nil), ("rows 0 0 2", "needs 0 13 0", "other needs"),
            ("rows 0 0 2", "needs 0 12 1", "other needs"),
            ("rows 0 0 1", "needs 0 13 1", "other rows"),
        ] as [(String, String, String?)] {
            let first =
                try faces + [
                    "lines 0 12 3", "rows 0 0 2", "closed 0 0 1", "listed 0 45 2", "objects 0 0 1",
                    "gone 0 0 1", "bytes 0 0 1", "matched 0 0 1", "references 0 0 1", "held 0 0 1",
                ]
            let later = first.map { $0 == "rows 0 0 2" ? rows : $0 } + [asked]
            let lines = "write handed-records '0 322c62'; write handed-objects"
            let engine = try engine(
                program(
                    """
                    case "$(basename "${@: -1}")" in
                    stage-1.py)
                    \(TemporaryFolder.writing(first)); \(lines) ;;
                    *)
                    \(TemporaryFolder.writing(later, stage: "2")); \(lines) ;;
                    esac
                    """), work: folder + "/runs")
            _ = try await engine.begin()
            if let words {
                await #expect {
                    _ = try await engine.widen(by: needs)
                } throws: { error in
                    (error as? NarrowingFailure)?.found.contains("Spark read \(words)") == true
                }
            } else {
                #expect(try await engine.widen(by: needs).matchedRecords[0]?.records == 1)
            }
            await engine.end()
        }
    }

    @Test func aMarkerThatCountsOtherFactsIsNone() async throws {
        try await expectFailure(
            "left no marker", of: program(TemporaryFolder.writing(["lines 0 12 3"], done: 2)))
    }

    @Test func aLostPartIsTold() async throws {
        let facts = try faces + ["lines 0 12 3", "rows 0 0 2", "listed 0 45 2", "objects 0 0 1"]
        try await expectFailure(
            "handed-records is not whole", of: program(TemporaryFolder.writing(facts)))
    }

    @Test func aPartWithFewerLinesIsTold() async throws {
        let facts = try faces + ["lines 0 12 3", "rows 0 0 2", "listed 0 45 2", "objects 0 0 1"]
        let lines = "write handed-records '0 312c61'; write handed-objects '0 00'"
        try await expectFailure(
            "holds 1 lines, and 2 were handed on",
            of: program(TemporaryFolder.writing(facts) + "\n" + lines))
    }

    @Test func whatIsHandedOnIsReadInPlaceOfTheFiles() async throws {
        let facts =
            try faces + [
                "lines 0 12 3", "rows 0 0 2", "closed 0 0 1", "listed 0 45 2", "objects 0 0 1",
                "gone 0 0 1", "bytes 0 0 1", "matched 0 0 1", "references 0 0 1", "held 0 0 1",
            ]
        let lines = "write handed-records '0 322c62'; write handed-objects"
        let engine = try engine(
            program(TemporaryFolder.writing(facts) + "\n" + lines), work: folder + "/runs")
        let narrowed = try await engine.begin()
        #expect(narrowed.matchedRecords[0]?.records == 1)
        #expect(narrowed.matchedObjects[0]?.objects == 1)
        var ids: [[UInt8]?] = []
        _ = try await narrowed.records[0].scan(.everything) { batch in
            ids += batch.rows.map { $0[0].bytes }
        }
        #expect(ids == [Array("2".utf8)])
        await engine.end()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/runs")
        #expect(left.isEmpty)
    }

    @Test("what the tasks cost is told where Spark tells it, of all stages together")
    func cost() async throws {
        let facts =
            try faces + [
                "lines 0 12 3", "rows 0 0 2", "closed 0 0 1", "listed 0 45 2", "objects 0 0 1",
                "gone 0 0 1", "bytes 0 0 1", "matched 0 0 1", "references 0 0 1", "held 0 0 1",
            ]
        func notes(_ spent: String) async throws -> [String] {
            let stage = "$(basename \"${@: -1}\" .py | tr -dc 0-9)"
            let lines = """
                \(TemporaryFolder.writing(facts, stage: stage))
                write handed-records '0 322c62'; write handed-objects; echo '\(spent)'
                """
            let engine = try engine(program(lines), work: folder + "/runs")
            _ = try await engine.begin()
            let notes = try await engine.widen(by: NarrowingNeeds()).notes
            await engine.end()
            return notes
        }
        #expect(
            try await notes("mooring spent 5 2048 1 0").contains(
                "engine spark: its tasks read 10 rows, 4 KiB, sent one another 2 B, and spilled "
                    + "0 B to disk"))
        for spent in ["", "mooring spent 1 2 3", "mooring spent 1 2 x 4"] {
            #expect(try await !notes(spent).contains { $0.contains("its tasks") })
        }
    }

    @Test func aFileThatChangesMeanwhileIsNotReadToItsEnd() async throws {
        let facts = try faces + ["lines 0 12 3", "rows 0 0 2", "listed 0 45 2", "objects 0 0 1"]
        let lines = "write handed-records '0 312c61' '0 322c62'; write handed-objects '0 00'"
        let engine = try engine(
            program(TemporaryFolder.writing(facts) + "\n" + lines), work: folder + "/runs")
        let narrowed = try await engine.begin()
        try write("id,key\n1,a\n2,c\n3,d\n", "songs.csv")
        let result = try await narrowed.records[0].scan(.everything) { _ in }
        #expect(!result.isComplete)
    }

    @Test func aFileWhoseLastRowMayBeCutOffIsReadHere() async throws {
        try write("id,key\n1,a\n2,b", "songs.csv")
        let facts =
            try faces + [
                "lines 0 12 3", "rows 0 0 2", "listed 0 45 2",
                "objects 0 0 1",
            ]
        let engine = try engine(
            program(TemporaryFolder.writing(facts)), work: folder + "/runs")
        let narrowed = try await engine.begin()
        #expect(narrowed.isWhole)
        #expect(narrowed.notes.contains { $0.contains("does not end with a line break") })
    }

    @Test func nobodyElseLooksIntoTheFolderAndNoLinkIsFollowed() async throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/outside", withIntermediateDirectories: true)
        try write("kept", "outside/file")
        let engine = try engine(
            program(
                """
                here=$(dirname "${@: -1}")
                ln -s '\(folder)/outside' "$here/link"
                stat -c %a "$here" "${@: -1}" >'\(folder)/modes'
                echo "$@" >'\(folder)/words'
                cp "${@: -1}" '\(folder)/program'
                exit 1
                """), work: folder + "/runs",
            settings: ["spark.authenticate.secret": "s3cret", "spark.ui.enabled": "false"])
        await #expect(throws: NarrowingFailure.self) { _ = try await engine.begin() }
        await engine.end()
        func text(_ name: String) throws -> String {
            try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        }
        #expect(try text("modes") == "700\n600\n")
        #expect(try text("outside/file") == "kept")
        #expect(try text("words").contains("spark.ui.enabled=false"))
        #expect(try !text("words").contains("s3cret"))
        #expect(try text("program").contains("s3cret"))
        let work = folder + "/runs/"
        let left = try FileManager.default.contentsOfDirectory(atPath: work).flatMap {
            try FileManager.default.contentsOfDirectory(atPath: work + $0)
        }
        #expect(left.sorted() == ["stage-1.log", "stage-1.out"])
    }

    @Test("somebody who interrupts has the job asked to end, before it is ended")
    func interrupted() async throws {
        let folder = folder
        let engine = try engine(
            program(
                """
                trap "echo asked >'\(folder)/asked'; exit 1" TERM
                touch '\(folder)/began'; while true; do sleep 0.1; done
                """), work: folder + "/runs",
            isInterrupted: { FileManager.default.fileExists(atPath: folder + "/began") })
        await #expect(throws: CancellationError.self) { _ = try await engine.begin() }
        #expect(try String(contentsOfFile: folder + "/asked", encoding: .utf8) == "asked\n")
    }

    @Test(
        "no command line shows what lets somebody in",
        arguments: [
            "spark.hadoop.fs.s3a.secret.key", "spark.hadoop.fs.s3a.access.key",
            "spark.hadoop.fs.s3a.encryption.key", "spark.hadoop.fs.s3a.server-side-encryption.key",
            "spark.hadoop.fs.azure.account.key.app.dfs.core.windows.net",
            "spark.hadoop.fs.azure.sas.box.app", "spark.ssl.keyPassword", "spark.x.SessionToken",
            "spark.hadoop.fs.gs.auth.service.account.private.key",
        ])
    func secrets(_ name: String) { #expect(SparkPlace.isSecret(name)) }

    @Test func aSettingThatLetsNobodyInIsNone() {
        for name in ["spark.sql.shuffle.partitions", "spark.executor.memory", "spark.task.cpus"] {
            #expect(!SparkPlace.isSecret(name))
        }
    }

    @Test func aFolderThatSparkTakesForAPatternIsRefused() async throws {
        try await expectFailure("for a pattern", of: program("exit 0"), work: folder + "/r{1}")
    }

    // MARK: Helpers

    private func write(_ text: String, _ name: String) throws {
        try text.write(toFile: folder + "/" + name, atomically: true, encoding: .utf8)
    }

    private func program(_ body: String) throws -> String {
        // Another process makes what is run: a file that this one had open for writing may still be
        // open in a child that another test starts meanwhile.
        try write("#!/bin/bash\n" + body + "\n", "submit.text")
        let copy = try Process.run(
            URL(filePath: "/usr/bin/install"),
            arguments: ["-m", "755", folder + "/submit.text", folder + "/submit"])
        copy.waitUntilExit()
        return folder + "/submit"
    }

    private func engine(
        _ submit: String, work: String, settings: [String: String] = [:],
        isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) throws -> SparkEngine {
        let configuration = try Configuration.parse(
            """
            version: 1
            records:
              - {name: app, csv: ./songs.csv, models: [{model: Song, files: [{field: key}]}]}
            buckets: [{name: media, listing: ./media.csv}]
            """, file: folder + "/mooring.yaml", environment: [:])
        let plan = SparkPlan(configuration, buckets: configuration.buckets.map(\.mapping))
        return SparkEngine(
            { plan },
            at: SparkPlace(submit: submit, master: "local", settings: settings, work: work),
            records: [CSVSource(name: "app", file: folder + "/songs.csv", tables: ["Song"])],
            buckets: [ListingBucket(name: "media", file: folder + "/media.csv")],
            telling: SparkJob(
                environment: ["PATH": "/usr/bin:/bin"], isInterrupted: isInterrupted,
                advance: { _ in })
        )
    }

    private func expectFailure(
        _ words: String, of submit: String, work: String? = nil
    ) async throws {
        let engine = try engine(submit, work: work ?? folder + "/runs")
        await #expect {
            _ = try await engine.begin()
        } throws: { error in
            (error as? NarrowingFailure)?.found.contains(words) == true
        }
    }
}
