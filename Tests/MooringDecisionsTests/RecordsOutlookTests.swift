import MooringDecisions
import MooringModel
import Testing

@Suite("What could be told of a record after an incident")
struct RecordsOutlookTests {
    private static let start = Instant(seconds: 1_790_000_000)

    private func table(
        _ name: String, _ stream: TableTraces.Stream = .withOld,
        _ recovery: TableTraces.Recovery = .since(start), expiry: String? = nil
    ) -> TableTraces {
        TableTraces(
            table: name, stream: .told(stream), recovery: .told(recovery), expiry: .told(expiry))
    }

    private func answers(_ tables: [TableTraces], isAWS: Bool = false) -> [String: IncidentAnswer] {
        let all = RecordsOutlook("app").answers(tables, isAWS: isAWS)
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    }

    @Test("Every table has to keep old images, and those that do not are named")
    func stream() {
        #expect(answers([table("A"), table("B")])["changes of app"]?.prospect == .yes)
        for lacking in [TableTraces.Stream.off, .withoutOld] {
            let told = answers([table("A"), table("B\n", lacking)])["changes of app"]
            #expect(told?.prospect == .no)
            #expect(told?.line.contains("of 'B\\u{a}': what a record held before") == true)
        }
        let many = (0..<8).map { table("T\($0)", .off) }
        #expect(answers(many)["changes of app"]?.detail.contains("'T4' and 3 more") == true)
    }

    @Test("The state at a time can be had since the latest table's earliest moment")
    func recovery() {
        let later = Self.start + .days(3)
        let both = answers([table("A"), table("B", .withOld, .since(later))])["states of app"]
        #expect(both?.prospect == .yes)
        #expect(both?.detail.hasSuffix("since \(later.iso8601)") == true)
        let off = answers([table("A"), table("B", .withOld, .off)])["states of app"]
        #expect(off?.prospect == .no && off?.detail.contains("off for 'B'") == true)
    }

    @Test("Time to live is told only where there is one, and is traceless without a stream")
    func expiry() {
        #expect(answers([table("A")])["expiry of app"] == nil)
        #expect(answers([table("A", expiry: "ttl")])["expiry of app"]?.prospect == .yes)
        for stream in [TableTraces.Stream.off, .withoutOld] {
            let told = answers([table("A", stream, expiry: "ttl")])["expiry of app"]
            #expect(told?.prospect == (stream == .off ? .no : .yes))
        }
    }

    @Test("What one table does not tell is not known of the source, with the permission")
    func untold() {
        var closed = table("B")
        closed.stream = .unknown("no")
        closed.recovery = .unknown("no")
        closed.expiry = .unknown("no")
        let told = answers([table("A", .off), closed], isAWS: true)
        for (name, permission) in [
            ("changes of app", "DescribeTable"), ("states of app", "DescribeContinuousBackups"),
            ("expiry of app", "DescribeTimeToLive"),
        ] {
            #expect(told[name]?.prospect == .unknown)
            #expect(
                told[name]?.detail == "not known: it needs dynamodb:\(permission) (table 'B': no)")
        }
        #expect(told["CloudTrail of app"]?.prospect == .unknown)
        #expect(answers([table("A")])["CloudTrail of app"] == nil)
    }

    @Test("A database without a history can tell what it held by backups alone")
    func others() {
        let outlook = RecordsOutlook("app")
        #expect(outlook.answers(kind: "sqlite", isLive: true).map(\.prospect) == [.no])
        #expect(outlook.answers(kind: "postgres", isLive: true).map(\.prospect) == [.no])
        #expect(outlook.answers(kind: "csv", isLive: false).map(\.prospect) == [.unknown])
        #expect(outlook.answers(kind: "dynamodbExport", isLive: false).map(\.prospect) == [.yes])
        let api = outlook.answers(kind: "appsync", isLive: true)
        #expect(api.map(\.prospect) == [.unknown, .unknown])
        #expect(api.last?.detail.contains("get-graphql-api") == true)
    }

    @Test("A loss is dated to between two audits, so that one alone dates none")
    func audits() {
        for few in [[], [Self.start]] {
            let told = RunsOutlook.answers(few, keep: .days(90))
            #expect(told.map(\.name) == ["audits", "reports"] && told[0].prospect == .no)
        }
        let nights = [0, 1, 4].map { Self.start + .days(Int64($0)) }
        let told = RunsOutlook.answers(nights, keep: .days(90))
        #expect(told[0].prospect == .yes && told[0].detail.hasSuffix("of late to 3d or less"))
        #expect(told[1].detail.contains("for 90d (report.keep)"))
    }

    @Test("An answer is one line, and its JSON says unknown in a word")
    func forms() {
        let answer = IncidentAnswer("x", .unknown, "y")
        #expect(answer.line == "?       x: y")
        let text = String(decoding: answer.json.rendered, as: UTF8.self)
        #expect(text == #"{"name":"x","answer":"unknown","detail":"y"}"#, "\(text)")
    }
}
