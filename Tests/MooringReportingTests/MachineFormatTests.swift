import Foundation
import MooringModel
import Testing

@testable import MooringReporting

/// What pipelines and dashboards are told: a run's answers, within the bounds of those who read it.
@Suite("Formats for programs")
struct MachineFormatTests {
    private static let formats = ReportFormat.ofFailedRuns

    private func write(
        _ summary: RunSummary, _ findings: [Finding] = [],
        places: ConfigurationPlaces = ConfigurationPlaces()
    ) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let writer = try ReportWriter(
            directory: folder.path, run: summary.id, formats: Self.formats, places: places)
        try writer.add(findings)
        _ = try writer.finish(summary)
        return folder
    }

    private func text(_ format: ReportFormat, _ folder: TemporaryFolder) throws -> String {
        try folder.text("\(SampleRun.runID.text)/\(format.fileName)")
    }

    private func orphans(_ count: Int) -> [Finding] {
        (0..<count).map { number in
            SampleRun.finding(
                "orphan-\(number)", (.orphan, number % 2 == 0 ? .ownerless : nil, .settled),
                key: ObjectKey("public/\(number)"), size: 1)
        }
    }

    private func results(_ sarif: String) throws -> [JSONNode] {
        let run = try #require(
            try JSONNode(parsing: Array(sarif.utf8))["runs"]?.elements?.first)
        return run["results"]?.elements ?? []
    }

    /// Everything between two texts, as often as both are there.
    private func between(_ start: String, _ end: String, _ text: String) -> [String] {
        text.components(separatedBy: start).dropFirst().map {
            $0.components(separatedBy: end)[0]
        }
    }

    @Test("A gate that failed is a failed case with value, examples that it counts, and command")
    func gates() throws {
        let xml = try text(.junit, try write(SampleRun.summary, SampleRun.findings))
        let gate = try #require(
            between("<testcase ", "</testcase>", xml).first {
                $0.contains("name=\"dangling.settled\"")
            })
        #expect(gate.contains("file=\"mooring.yaml\""))
        #expect(gate.contains(">dangling.settled == 0: the value is 1\n"))
        #expect(gate.contains("settled, missing: private/"))
        #expect(!gate.contains("undecided, twin"), "the gate does not count it")
        let run = SampleRun.runID.text
        #expect(gate.contains("next: mooring findings --run \(run) --kind dangling"))
        #expect(
            xml.contains("name=\"orphan.settled.bytes\" file=\"mooring.yaml\" time=\"0.000\"/>"))
    }

    @Test("A gate on a share tells the share, and names what it counts")
    func share() throws {
        var summary = SampleRun.summary
        summary.gates = [
            .init(
                gate: "share(dangling.undecided) < 1%", value: 3, whole: 60, passed: false,
                counted: .init(kind: .dangling, verdict: .undecided, newOnly: false, bytes: false)),
            .init(
                gate: "share(orphan.bytes) < 50%", value: 5, whole: 0, passed: false,
                counted: .init(kind: .orphan, verdict: nil, newOnly: true, bytes: true)),
        ]
        let xml = try text(.junit, try write(summary, SampleRun.findings))
        let gates = between("<testcase ", "</testcase>", xml).filter { $0.contains("share(") }
        try #require(gates.count == 2)
        #expect(gates[0].contains("name=\"share(dangling.undecided)\""))
        #expect(gates[0].contains("the value is 5%, 3 of 60\n"))
        #expect(gates[0].contains("undecided, twin") && !gates[0].contains("settled, missing"))
        #expect(gates[1].contains("the value is 100%, 5 of 0\n"))
        #expect(gates[1].contains("--kind orphan"))
    }

    private func counted(_ kind: FindingKind) -> RunSummary.Gate.Counted {
        .init(kind: kind, verdict: nil, newOnly: false, bytes: false)
    }

    @Test("Names of cases are told apart, and hold no number that changes from run to run")
    func names() throws {
        var summary = SampleRun.summary
        summary.gates = ["orphan > 1", "orphan  < 9", "orphan != 3", "schema.unmapped == 0"].map {
            .init(gate: $0, value: 2, passed: true)
        }
        let xml = try text(.junit, try write(summary, SampleRun.findings))
        let heads = between("<testcase ", " file=", xml)
        #expect(Set(heads).count == heads.count && heads.count > 10)
        let gates = heads.filter { $0.contains("mooring.gates") }
        #expect(
            between("name=\"", "\"", gates.joined())
                .filter { $0 != "mooring.gates" } == [
                    "orphan", "orphan, again", "orphan, again and again", "schema.unmapped",
                ])
        #expect(heads.contains { $0.contains("name=\"dangling \u{B7} PhotoAlbum.imageKeys\"") })
        #expect(heads.contains { $0.contains("name=\"orphan \u{B7} media\"") })
        // A field without findings passes, so that what was mended is told.
        let passing = xml.contains(
            "name=\"dangling \u{B7} Song.coverArtKey\" file=\"mooring.yaml\" time=\"0.000\"/>")
        #expect(passing)
    }

    @Test("A run that proves no absence has errors, and neither failures nor results")
    func incomplete() throws {
        for status in [RunSummary.Status.incomplete, .failed, .interrupted] {
            var summary = SampleRun.summary
            summary.status = status
            summary.reason = "the disk is gone"
            let folder = try write(summary, SampleRun.findings)
            let xml = try text(.junit, folder)
            #expect(xml.contains("the disk is gone"))
            // The scan and both gates; the guard of the sample has refused, whatever the scan was.
            #expect(between("<error ", ">", xml).count == 3)
            #expect(between("<failure ", ">", xml).count == 1)
            let sarif = try text(.sarif, folder)
            #expect(try results(sarif).isEmpty)
            #expect(sarif.contains("\"executionSuccessful\":false"))
            #expect(sarif.contains("the disk is gone"))
            let page = try text(.markdown, folder)
            #expect(page.hasPrefix("## Mooring `audit`: \(status.rawValue)\n"))
            #expect(page.contains("the disk is gone"))
        }
    }

    @Test("A gate that had nothing to judge is skipped")
    func nothingToJudge() throws {
        var summary = SampleRun.summary
        for index in summary.records.indices { summary.records[index].references = 0 }
        summary.buckets[0].objects = 0
        summary.gates = [FindingKind.dangling, .orphan, .shared].map {
            .init(gate: "\($0.rawValue) == 0", value: 0, passed: true, counted: counted($0))
        }
        summary.gates.append(
            .init(gate: "dangling != 0", value: 0, passed: false, counted: counted(.dangling)))
        let xml = try text(.junit, try write(summary))
        #expect(between("<skipped message=\"", "\"", xml).count == 3)
        #expect(xml.contains("no record holds a reference"))
        #expect(xml.contains("<failure message=\"dangling != 0: the value is 0\""))
    }

    @Test("Results point to the line of the configuration, and have the findings' ids")
    func places() throws {
        var places = ConfigurationPlaces(
            file: "conf/moor ing.yaml", first: .init(number: 1, length: 3))
        places.add(source: "app", at: .init(number: 5, length: 10))
        places.add(source: "app", model: "PhotoAlbum", at: .init(number: 7, length: 20))
        places.add(
            source: "app", model: "PhotoAlbum", field: "imageKeys", at: .init(number: 9, length: 30)
        )
        places.add(bucket: "media", at: .init(number: 40, length: 13))
        let findings = SampleRun.findings.sorted(by: Finding.precedes)
        let sarif = try text(.sarif, try write(SampleRun.summary, findings, places: places))
        #expect(sarif.contains("\"uri\":\"conf/moor%20ing.yaml\""))
        let results = try results(sarif)
        #expect(
            results.map { $0["partialFingerprints"]?["primaryLocationLineHash"]?.string }
                == findings.map(\.id))
        func line(_ id: String) -> Int64? {
            let index = findings.firstIndex { $0.id == id } ?? 0
            let place = results[index]["locations"]?.elements?.first?["physicalLocation"]
            return place?["region"]?["startLine"]?.integer
        }
        #expect(line("dangling-31337abc") == 9)
        #expect(line("invalid-key-02") == 5, "a model that is not configured: its source")
        #expect(line("orphan-d15ea5e0") == 40, "no owner: its bucket")
        #expect(line("stale-copy-07") == 1, "neither: the first line")
        let levels = Set(results.compactMap { $0["level"]?.string })
        #expect(levels == ["error", "warning", "note"])
    }

    @Test("Above 5,000 findings a result stands for a kind, cause and place")
    func grouped() throws {
        let few = try results(try text(.sarif, try write(SampleRun.summary, orphans(5_000))))
        #expect(few.count == 5_000)
        let sarif = try text(.sarif, try write(SampleRun.summary, orphans(5_001)))
        let many = try results(sarif)
        #expect(many.count == 2)
        #expect(
            many.compactMap { $0["properties"]?["findings"]?.integer }.sorted() == [2_500, 2_501])
        #expect(sarif.contains("2,501 findings at media: orphan, ownerless (2,501 settled)."))
        #expect(Set(few.compactMap { $0["level"]?.string }) == ["warning"])
    }

    @Test("A page for a comment stays below its bound by leaving out whole sections, and says so")
    func bound() throws {
        var summary = SampleRun.summary
        summary.notes = (0..<2_000).map { "note \($0) of a run that has much to say" }
        let page = try text(.markdown, try write(summary, SampleRun.findings))
        #expect(page.utf8.count <= 60_000)
        #expect(page.contains("_Left out, since this page has at most 60,000 bytes: Notes._"))
        #expect(page.contains("### orphan (") && page.contains("### Next"))
        let whole = try text(.markdown, try write(SampleRun.summary, SampleRun.findings))
        #expect(!whole.contains("Left out") && whole.contains("### Notes"))
        #expect(whole.contains("**1 of 2 gates failed.**"))
        #expect(whole.contains("3 new, 1 gone"))
    }

    @Test("Metrics of a run that failed keep the time of the last success, and claim no findings")
    func failedMetrics() throws {
        var summary = RunSummary(
            id: SampleRun.runID, command: "run", programVersion: "0.1.0",
            startedAt: SampleRun.start, configuration: "")
        summary.finishedAt = SampleRun.start + .seconds(90)
        summary.status = .failed
        summary.lastSuccess = SampleRun.start - .days(1)
        let failed = try text(.prometheus, try write(summary))
        let success = "mooring_last_success_timestamp_seconds{command=\"run\"}"
        #expect(failed.contains("\(success) 1795140000\n"))
        #expect(
            failed.contains(
                "mooring_last_run_timestamp_seconds{command=\"run\"} 1795226490\n"))
        #expect(failed.contains("mooring_run_status{command=\"run\",status=\"failed\"} 1\n"))
        #expect(failed.contains("mooring_run_duration_seconds{command=\"run\"} 90\n"))
        #expect(!failed.contains("mooring_findings"))
        summary.lastSuccess = nil
        #expect(try text(.prometheus, try write(summary)).contains("\(success) 0\n"))
        summary.status = .complete
        #expect(try text(.prometheus, try write(summary)).contains("\(success) 1795226490\n"))
        summary.repairs.stale = 1
        #expect(try text(.prometheus, try write(summary)).contains("\(success) 0\n"))
    }

    @Test("Metrics name every kind and verdict, have no time of their own, and no sample twice")
    func metrics() throws {
        var summary = SampleRun.summary
        summary.gates.append(summary.gates[0])
        let metrics = try text(.prometheus, try write(summary, SampleRun.findings))
        for kind in FindingKind.allCases {
            for verdict in Verdict.allCases {
                let labels = "kind=\"\(kind.rawValue)\",verdict=\"\(verdict.rawValue)\""
                #expect(metrics.contains("mooring_findings{command=\"audit\",\(labels)} "))
            }
        }
        let samples = metrics.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let names = samples.map { $0.prefix { $0 != "}" } }
        #expect(Set(names).count == names.count)
        for sample in samples {
            #expect(sample.hasPrefix("mooring_"))
            let value = sample.split(separator: "} ").last ?? ""
            #expect(Double(value) != nil, "\(sample)")
        }
    }

    @Test("What a run has mended is no failure any more")
    func mended() throws {
        var findings = orphans(2)
        findings[0].outcome = .done
        findings[1].outcome = .stale
        let folder = try write(SampleRun.summary, findings)
        #expect(try results(try text(.sarif, folder)).count == 1)
        #expect(try text(.junit, folder).contains("settled findings: 1 (limit: 0)"))
    }

    @Test("A file that cannot be written fails the whole report", arguments: formats)
    func refused(format: ReportFormat) throws {
        let folder = try TemporaryFolder()
        let writer = try ReportWriter(
            directory: folder.path, run: SampleRun.runID, formats: [.text, format])
        try writer.add(SampleRun.findings)
        let partial = folder.path + "/.\(SampleRun.runID.text).partial"
        try FileManager.default.createSymbolicLink(
            atPath: "\(partial)/\(format.fileName)", withDestinationPath: "/dev/full")
        #expect(throws: ReportError.self) { try writer.finish(SampleRun.summary) }
        #expect(try folder.names().isEmpty)
    }
}
