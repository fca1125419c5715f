import Foundation
import MooringModel
import Testing

@testable import MooringReporting

@Suite struct ReportWriterTests {
    private func orphan(_ number: Int) -> Finding {
        SampleRun.finding(
            "orphan-\(number)", (.orphan, .ownerless, .settled), key: ObjectKey("public/\(number)"),
            size: 1)
    }

    private func write(
        to folder: TemporaryFolder, run: RunID = SampleRun.runID,
        formats: [ReportFormat] = ReportFormat.allCases, findings: [Finding] = [],
        status: RunSummary.Status = .complete
    ) throws {
        let writer = try ReportWriter(directory: folder.path, run: run, formats: formats)
        try writer.add(findings)
        var summary = SampleRun.summary
        summary.id = run
        summary.status = status
        _ = try writer.finish(summary, extraFiles: [])
    }

    @Test("Nothing but the partial folder is there before the end, and nothing after a stop")
    func atomic() throws {
        let folder = try TemporaryFolder()
        let writer = try ReportWriter(
            directory: folder.path, run: SampleRun.runID, formats: ReportFormat.allCases)
        try writer.add(SampleRun.findings)
        #expect(try folder.names() == [".\(SampleRun.runID.text).partial"])
        writer.abandon()
        #expect(try folder.names() == [])
        _ = try ReportWriter(directory: folder.path, run: SampleRun.runID, formats: [.text])
        #expect(try folder.names() == [], "a writer that is let go leaves nothing")
    }

    @Test("Only the files of the formats that were asked for are written")
    func formats() throws {
        let folder = try TemporaryFolder()
        try write(to: folder, formats: [.text])
        #expect(try folder.names(SampleRun.runID.text) == ["report.txt"])
        #expect(try folder.names() == [SampleRun.runID.text, "latest"].sorted())
        try write(to: folder, formats: [.json])
        #expect(
            try folder.names(SampleRun.runID.text)
                == ["findings.jsonl", "report.json", "report.txt"],
            "another format is added to the report that is there")
    }

    @Test("A report rendered again replaces its files and keeps those of others")
    func again() throws {
        let folder = try TemporaryFolder()
        try write(to: folder, findings: [orphan(1)])
        let place = folder.path + "/" + SampleRun.runID.text
        try Data("note".utf8).write(to: URL(fileURLWithPath: place + "/note.txt"))
        try FileManager.default.createDirectory(
            atPath: place + "/attached", withIntermediateDirectories: false)
        try write(to: folder, findings: [orphan(2), orphan(3)])
        let lines = try folder.text(SampleRun.runID.text + "/findings.jsonl")
        #expect(lines.split(separator: "\n").count == 2)
        #expect(!lines.contains("public/1"))
        #expect(try folder.text(SampleRun.runID.text + "/note.txt") == "note")
        #expect(try folder.names(SampleRun.runID.text).contains("attached"))
        #expect(try folder.names().allSatisfy { !$0.hasPrefix(".") })
    }

    @Test("A dead process's partial folder is taken over; a living one's is refused")
    func leftovers() throws {
        let folder = try TemporaryFolder()
        let partial = folder.path + "/.\(SampleRun.runID.text).partial"
        try FileManager.default.createDirectory(
            atPath: partial, withIntermediateDirectories: false)
        try Data("half".utf8).write(to: URL(fileURLWithPath: partial + "/report.md"))
        let first = try ReportWriter(
            directory: folder.path, run: SampleRun.runID, formats: [.text])
        let error = #expect(throws: ReportError.self) {
            try ReportWriter(directory: folder.path, run: SampleRun.runID, formats: [.text])
        }
        #expect(error?.reason == "another process is writing this run's report")
        #expect(
            error?.hint == "wait for it, then run 'mooring report \(SampleRun.runID.text)'")
        _ = try first.finish(SampleRun.summary, extraFiles: [])
        #expect(try folder.names(SampleRun.runID.text) == ["report.txt"])
    }

    @Test("latest follows complete scans only, refused or not, as they end")
    func latest() throws {
        let folder = try TemporaryFolder()
        func target() throws -> String {
            try FileManager.default.destinationOfSymbolicLink(atPath: folder.path + "/latest")
        }
        let runs = (0..<3).map { RunID(startingAt: SampleRun.start + .seconds($0)) }
        try write(to: folder, run: runs[0], formats: [.text], status: .incomplete)
        #expect(throws: (any Error).self) { try target() }
        try write(to: folder, run: runs[1], formats: [.text])
        #expect(try target() == runs[1].text)
        try write(to: folder, run: runs[2], formats: [.text], status: .refused)
        #expect(try target() == runs[2].text)
        // A clock that was ahead holds nothing.
        try write(to: folder, run: runs[0], formats: [.text])
        #expect(try target() == runs[0].text)
    }

    @Test("A full disk is an error that names the file, the reason and what to do")
    func fullDisk() throws {
        let descriptor = open("/dev/full", O_WRONLY)
        try #require(descriptor >= 0)
        let file = OutputFile(path: "report.txt", descriptor: descriptor)
        try file.append("x")
        let error = #expect(throws: ReportError.self) { try file.close() }
        #expect(error?.path == "report.txt")
        #expect(error?.reason.contains("No space left on device") == true)
        #expect(error?.hint?.hasPrefix("the disk is full") == true)
        let other = OutputFile(path: "x", descriptor: open("/dev/full", O_WRONLY))
        #expect(throws: ReportError.self) {
            for _ in 0..<10 { try other.append([UInt8](repeating: 0, count: 65_536)) }
        }
    }

    @Test("A file that cannot be read back or synchronised is named, with the system's reason")
    func unfitFile() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let pipes = ends.map { OutputFile(path: "pipe", descriptor: $0) }
        let other = OutputFile(path: "x", descriptor: open("/dev/null", O_RDWR))
        let blind = OutputFile(path: "blind", descriptor: open("/dev/null", O_WRONLY))
        for (file, reason) in [
            (pipes[0], "the file cannot be read: Illegal seek"),
            (blind, "the file cannot be read: Bad file descriptor"),
        ] {
            let error = #expect(throws: ReportError.self) {
                try other.append(contentsOf: file)
            }
            #expect(error?.path == file.path && error?.reason == reason)
        }
        let error = #expect(throws: ReportError.self) { try pipes[1].close() }
        #expect(error?.reason == "the file cannot be synchronised: Invalid argument")
    }

    @Test("A folder in the place of latest is told, and the report is there all the same")
    func latestIsFolder() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/latest", withIntermediateDirectories: false)
        let error = #expect(throws: ReportError.self) { try write(to: folder, formats: [.text]) }
        #expect(error?.path == folder.path + "/latest")
        #expect(error?.reason.hasPrefix("the link cannot be replaced: ") == true)
        #expect(try folder.names(SampleRun.runID.text) == ["report.txt"])
        #expect(try folder.names() == [SampleRun.runID.text, "latest"].sorted())
    }

    @Test("A file where the folder should be is refused, and so is a name that leaves it")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/file"
        try Data().write(to: URL(fileURLWithPath: file))
        let error = #expect(throws: ReportError.self) {
            try ReportWriter(directory: file + "/reports", run: SampleRun.runID, formats: [.text])
        }
        #expect(error?.hint != nil)
        for name in ["", ".", "..", "../x", "a/b", "a\u{0}b", ".hidden", "report.txt"] {
            let writer = try ReportWriter(
                directory: folder.path + "/new/deep", run: SampleRun.runID, formats: [.text])
            let error = #expect(throws: ReportError.self, "\(name)") {
                try writer.finish(SampleRun.summary, extraFiles: [(name, [0x78])])
            }
            #expect(
                error?.reason
                    == (name == "report.txt"
                        ? "the file cannot be created: File exists"
                        : "no name of a file in a report"))
            #expect(try folder.names("new/deep") == [])
        }
    }

    @Test("A link in the partial folder's place is not followed")
    func linkedPartial() throws {
        let folder = try TemporaryFolder()
        let victim = try TemporaryFolder()
        try Data("keep".utf8).write(to: URL(fileURLWithPath: victim.path + "/keep"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/.\(SampleRun.runID.text).partial",
            withDestinationPath: victim.path)
        #expect(throws: ReportError.self) {
            try ReportWriter(directory: folder.path, run: SampleRun.runID, formats: [.text])
        }
        #expect(try victim.names() == ["keep"])
    }

    @Test("Pages show the first findings of a kind and say where all of them are")
    func omission() throws {
        let folder = try TemporaryFolder()
        let writer = try ReportWriter(
            directory: folder.path, run: SampleRun.runID, formats: ReportFormat.allCases)
        for batch in 0..<3 { try writer.add((0..<500).map { orphan(batch * 500 + $0) }) }
        _ = try writer.finish(SampleRun.summary, extraFiles: [])
        let place = SampleRun.runID.text
        let html = try folder.text(place + "/report.html")
        #expect(html.split(separator: "<li class=\"finding").count - 1 == 50)
        #expect(
            html.contains(
                "50 of 1,500 are shown here. The search of this page, which needs its script, "
                    + "finds all of them; all of them are in findings.jsonl."))
        let note =
            "1,000 of 1,500 are shown; 500 are left out here, and all of them are in "
            + "findings.jsonl."
        let text = try folder.text(place + "/report.txt").replacing("\n", with: " ")
        #expect(text.contains(note))
        #expect(try folder.text(place + "/findings.jsonl").split(separator: "\n").count == 1_500)
        #expect(try folder.text(place + "/findings.csv").split(separator: "\r\n").count == 1_501)
        try write(to: folder, formats: [.html], findings: (0..<1_001).map(orphan))
        #expect(
            try folder.text(place + "/report.html")
                .contains("&#39;mooring report \(place) --format json&#39; writes all of them."))
    }

    @Test("The text in memory is the text in the file")
    func renderedText() throws {
        let folder = try TemporaryFolder()
        try write(to: folder, formats: [.text], findings: SampleRun.findings)
        let file = try folder.text(SampleRun.runID.text + "/report.txt")
        #expect(TextReport.render(SampleRun.summary, findings: SampleRun.findings) == file)
    }
}
