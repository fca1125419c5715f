package import MooringModel

/// What somebody is told of a run's end who did not look at it.
package struct Notice: Sendable {
    /// How it ended.
    package enum Subject: Sendable {
        /// A run of the ledger.
        case run(RunSummary)
        /// A command that began no run, and why.
        case nothing(command: String, reason: String)
    }

    private let subject: Subject
    private let exitStatus: Int32
    private let app: String
    private let report: String?

    /// A notice about a command that ended with a status; `app` is what the record sources are
    /// called, `report` the folder of the run's report.
    package init(_ subject: Subject, exitStatus: Int32, app: String, report: String? = nil) {
        self.subject = subject
        self.exitStatus = exitStatus
        self.app = app
        self.report = report
    }

    /// Whether somebody is told who wants to be told then.
    package func isDue(_ occasion: NoticeOccasion) -> Bool {
        switch occasion {
        case .always: true
        case .failure: exitStatus != 0
        case .news: exitStatus != 0 || news != nil
        }
    }

    /// The verdict on one line of ASCII, for the subject of a mail: at most 200 bytes.
    package var title: String {
        let text = "[mooring] \(app): \(headline)"
        let shown = VisibleText.ascii(text)
        return shown.utf8.count <= 200 ? shown : shown.prefix(197) + "..."
    }

    /// The run in lines of ASCII, at most 80 columns but for keys.
    package var text: String {
        let lines = [
            report.map { "report: \($0)" }, "exit status: \(exitStatus)",
        ].compactMap { $0 }
        let first =
            news
            ?? TextLayout(width: 80).wrapped(VisibleText.ascii(headline)).map { $0 + "\n" }
            .joined()
        return first + "\n"
            + lines.map { VisibleText.ascii($0) + "\n" }.joined()
    }

    /// How it ended in one line without any name of the app's: for places that ask nobody who they
    /// are, as monitors of cron jobs do.
    package var anonymous: String {
        switch subject {
        case .nothing(let command, _): return "mooring \(command): exit status \(exitStatus)\n"
        case .run(let run):
            let counts = FindingKind.reportOrder.compactMap { kind -> String? in
                guard let count = run.counts[kind], count.total > 0 else { return nil }
                return ", \(kind.rawValue) \(count.total)"
            }
            return "mooring \(run.command): \(run.status.rawValue), exit status \(exitStatus)"
                + counts.joined() + ", repairs \(run.repairs.done) done, "
                + "\(run.repairs.stale + run.repairs.failed) left undone\n"
        }
    }

    /// The run's sums as one JSON value: no key of an object and no id of a record is in it, but
    /// for those that an error names.
    package var json: JSONValue {
        var members: [(name: String, value: JSONValue?)] = [
            ("schema", .string("mooring.notice/1")), ("app", .string(app)),
            ("headline", .string(headline)), ("exitStatus", .integer(Int64(exitStatus))),
            ("report", .text(report)),
        ]
        switch subject {
        case .nothing(let command, let reason):
            members.append(
                (
                    "run",
                    .members(["command": .string(command), "reason": .string(reason)])
                ))
        case .run(let run):
            members.append(("run", Self.run(run)))
            members += [
                ("counts", run.countsJSON), ("change", run.change?.json),
                ("gates", .array(run.gates.map(\.json))),
                ("guards", .array(run.guards.filter(\.refused).map(\.json))),
                ("repairs", run.repairs.json), ("cost", run.costJSON),
                ("waiting", .array(run.waiting.map(\.json))),
                ("needs", .texts(RunOverview.needs(run))),
            ]
        }
        return .members(members)
    }

    private var headline: String {
        switch subject {
        case .run(let run): Headline(run).sentence("; ")
        case .nothing(let command, let reason):
            "mooring \(command) ended with status \(exitStatus): \(reason)"
        }
    }

    private var news: String? {
        guard case .run(let run) = subject else { return nil }
        return TextReport.news(run, width: 80)
    }

    private static func run(_ run: RunSummary) -> JSONValue {
        .members([
            "id": .string(run.id.text), "command": .string(run.command),
            "version": .string(run.programVersion), "startedAt": .moment(run.startedAt),
            "finishedAt": .moment(run.finishedAt), "status": .string(run.status.rawValue),
            "reason": .text(run.reason),
        ])
    }
}
