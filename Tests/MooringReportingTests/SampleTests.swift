import Foundation
import MooringModel
import MooringReporting
import Testing

/// A folder that is removed when the test is over.
final class TemporaryFolder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("mooring-reporting-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("the temporary folder is left: \(error)")
        }
    }

    func bytes(_ name: String) throws -> [UInt8] { try contents(path + "/" + name) }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func names(_ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + name).sorted()
    }
}

func contents(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
}

/// `Reports` at the top of the source tree.
let reportsFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Reports").path

@Suite struct SampleTests {
    @Test("The samples in Reports are what the program makes of the sample run")
    func samples() throws {
        let folder = try TemporaryFolder()
        let writer = try ReportWriter(
            directory: folder.path, run: SampleRun.runID, formats: ReportFormat.allCases)
        for finding in SampleRun.findings { try writer.add([finding]) }
        let path = try writer.finish(
            SampleRun.summary, extraFiles: [("plan.json", SampleRun.plan.json.prettyRendered)])
        let overview = TextReport.overview(
            SampleRun.summary, samples: SampleRun.findings,
            TextReport.OverviewOptions(color: false, width: 80))
        var files = [(name: "overview.txt", bytes: Array(overview.utf8))]
        for name in try folder.names(SampleRun.runID.text) {
            files.append((name, try contents(path + "/" + name)))
        }
        #expect(
            files.map(\.name).sorted() == [
                "annotations.txt", "findings.csv", "findings.jsonl", "junit.xml", "metrics.prom",
                "orphans.ncdu.json", "overview.txt", "plan.json", "report.html", "report.json",
                "report.md", "report.sarif", "report.txt",
            ])
        let samples = reportsFolder + "/Samples"
        if ProcessInfo.processInfo.environment["MOORING_RECORD"] == "1" {
            try FileManager.default.createDirectory(
                atPath: samples, withIntermediateDirectories: true)
            for file in files {
                try Data(file.bytes).write(to: URL(fileURLWithPath: samples + "/" + file.name))
            }
        }
        for file in files {
            let recorded = try contents(samples + "/" + file.name)
            // Another zlib may compress the same content to other bytes.
            let isSame =
                file.name.hasSuffix(".html")
                ? try PageReader.unpacked(recorded) == PageReader.unpacked(file.bytes)
                : recorded == file.bytes
            #expect(
                isSame,
                "\(file.name) differs; MOORING_RECORD=1 writes it again, then read the diff")
        }
    }
}
