import MooringModel
import MooringReporting
import Testing

@Suite("Annotations for GitHub Actions")
struct AnnotationTests {
    private func lines(_ summary: RunSummary, _ findings: [Finding]) throws -> [Substring] {
        let folder = try TemporaryFolder()
        var places = ConfigurationPlaces(file: "app/moor:ing,100%.yaml")
        places.add(gate: "dangling.settled == 0", at: .init(number: 7, length: 3))
        places.add(bucket: "media", at: .init(number: 9, length: 3))
        let writer = try ReportWriter(
            directory: folder.path, run: summary.id, formats: [.github], places: places)
        try writer.add(findings)
        _ = try writer.finish(summary)
        return try folder.text(summary.id.text + "/annotations.txt").split(
            separator: "\n", omittingEmptySubsequences: false
        ).dropLast()
    }

    private func orphan(_ key: String, cause: FindingCause = .ownerless) -> Finding {
        var finding = Finding(id: key, kind: .orphan, cause: cause, verdict: .settled)
        finding.bucket = "media"
        finding.key = ObjectKey(key)
        return finding
    }

    @Test("A failed gate is an error at its line, findings are warnings at theirs")
    func levels() throws {
        var summary = SampleRun.summary
        summary.guards = []
        let lines = try lines(summary, [orphan("a"), orphan("b")])
        let file = "file=app/moor%3Aing%2C100%25.yaml"
        #expect(lines.count == 2)
        #expect(
            lines[0]
                == "::error \(file),line=7,title=mooring%3A a gate failed::gate FAILED: "
                + "dangling.settled == 0 (is 1)")
        #expect(
            lines[1].hasPrefix(
                "::warning \(file),line=9,title=orphan (ownerless) at media::2 findings: "
                    + "2 settled. "))
    }

    @Test("A key begins no line and no command, whatever it holds")
    func hostile() throws {
        var summary = SampleRun.summary
        summary.guards = []
        summary.gates = []
        let lines = try lines(summary, [orphan("x\n::error::y\r::stop-commands::%0A")])
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("::warning "))
        #expect(lines[0].hasSuffix("x\\x0a::error::y\\x0d::stop-commands::%250A"))
    }

    @Test("Of each level at most ten, the last of which counts the rest")
    func limits() throws {
        var summary = SampleRun.summary
        summary.gates = (0..<11).map {
            .init(gate: "orphan == \($0)", value: 99, passed: false)
        }
        summary.guards = []
        let few = try lines(summary, [])
        #expect(few.count == 10)
        #expect(few[8].hasSuffix("gate FAILED: orphan == 8 (is 99)"))
        #expect(few[9].contains("title=mooring%3A and 2 more::2 more like these"))
        summary.gates.removeLast()
        #expect(try lines(summary, []).allSatisfy { $0.contains("a gate failed") })
    }

    @Test("A run that proves no absence tells of its end alone")
    func incomplete() throws {
        var summary = SampleRun.summary
        summary.guards = []
        summary.status = .incomplete
        summary.reason = "media: gone"
        let lines = try lines(summary, [orphan("a")])
        #expect(lines.count == 1)
        #expect(lines[0].contains("line=1,title=mooring audit%3A incomplete::"))
        #expect(lines[0].contains("media: gone"))
    }
}
