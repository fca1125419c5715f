import Foundation
import Testing

/// The files in Cron/ are what an administrator installs unread; they have to be right.
struct CronTests {
    @Test("Every line of the crontab has five time fields in range, a user and a command")
    func crontab() throws {
        let lines = try Repository.text("Cron/mooring.crontab").split(separator: "\n")
        let jobs = lines.filter { Self.isJob($0) }
        #expect(jobs.count >= 2)
        expectNone(lines.flatMap(Self.breaches(in:)))
        #expect(jobs.contains { $0.contains("mooring run") })
        #expect(jobs.contains { $0.contains("mooring audit") })
    }

    @Test("A wrong crontab line is named")
    func crontabBreaches() {
        #expect(Self.breaches(in: "30 2 * * * mooring mooring run").isEmpty)
        #expect(Self.breaches(in: "*/5 0-6,12 1 1 7 mooring mooring run").isEmpty)
        #expect(Self.breaches(in: "# 99 comment").isEmpty)
        #expect(Self.breaches(in: "MAILTO=ops@example.org").isEmpty)
        #expect(Self.breaches(in: "60 2 * * * mooring mooring run").count == 1)
        #expect(Self.breaches(in: "30 24 * * * mooring mooring run").count == 1)
        #expect(Self.breaches(in: "30 2 * * mooring run").count == 1)
        #expect(Self.breaches(in: "30 2 * * * mooring").count == 1)
        #expect(Self.breaches(in: "30 2 * * * mooring date +%F").count == 1)
    }

    @Test("The systemd units pass systemd-analyze verify")
    func units() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "mooring-units-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A folder left in the temporary place harms nobody.
            try? FileManager.default.removeItem(at: folder)
        }
        var paths: [String] = []
        for name in ["mooring.service", "mooring.timer", "mooring-alert@.service"] {
            // `verify` wants a program that is there, and mooring is not installed for a test.
            let text = try Repository.text("Cron/\(name)")
                .replacing("/usr/local/bin/mooring ", with: "/bin/true ")
            let file = folder.appending(path: name)
            try text.write(to: file, atomically: true, encoding: .utf8)
            paths.append(file.path(percentEncoded: false))
        }
        guard let (status, output) = try Self.verify(paths) else {
            print("skipped: systemd-analyze is not installed, so the units were not verified")
            return
        }
        #expect(status == 0 && output.isEmpty, "\(output)")
        // The tool is only worth something if it objects to a wrong unit.
        let wrong = folder.appending(path: "wrong.service")
        try "[Service]\nExecStart=relative\nProtectSystem=perhaps\n".write(
            to: wrong, atomically: true, encoding: .utf8)
        let answer = try Self.verify([wrong.path(percentEncoded: false)])
        #expect(answer.map { $0.status != 0 || !$0.output.isEmpty } == true)
    }

    /// Runs the verifier; nil when it is not installed.
    private static func verify(_ paths: [String]) throws -> (status: Int32, output: String)? {
        let places = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"]
        guard let tool = places.first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(filePath: tool)
        process.arguments = ["verify", "--man=no", "--recursive-errors=no"] + paths
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    private static func isJob(_ line: Substring) -> Bool {
        !line.hasPrefix("#") && line.firstMatch(of: /^[A-Z_]+=/) == nil
    }

    /// What is wrong with a line of a system crontab; empty for comments and settings.
    private static func breaches(in line: Substring) -> [String] {
        guard isJob(line) else { return [] }
        let fields = line.split(separator: " ", maxSplits: 6)
        guard fields.count == 7 else { return ["too few fields: \(line)"] }
        let ranges = [0...59, 0...23, 1...31, 1...12, 0...7]
        for (field, range) in zip(fields, ranges) where !isTime(field, in: range) {
            return ["'\(field)' is not in \(range): \(line)"]
        }
        // cron turns a bare percent sign into a newline.
        return fields[6].contains(/(^|[^\\])%/) ? ["an unescaped %: \(line)"] : []
    }

    private static func isTime(_ field: Substring, in range: ClosedRange<Int>) -> Bool {
        field.split(separator: ",", omittingEmptySubsequences: false).allSatisfy { part in
            let halves = part.split(separator: "/", maxSplits: 1)
            guard let base = halves.first else { return false }
            if halves.count == 2, Int(halves[1]).map({ $0 > 0 }) != true { return false }
            if base == "*" { return true }
            return base.split(separator: "-", maxSplits: 1).allSatisfy {
                Int($0).map(range.contains) == true
            }
        }
    }
}
