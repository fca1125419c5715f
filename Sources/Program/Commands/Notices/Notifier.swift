import Foundation
import MooringConfiguration
import MooringModel
import MooringReporting

/// Tells those whom the configuration names of a command's beginning and end.
///
/// Nothing of it changes the run or its status: what is not taken is told on stderr.
final class Notifier {
    private let settings: NotifySettings
    private let command: String
    /// What the record sources are called.
    let app: String
    private var beginning: Task<Void, Never>?
    private var run: (summary: RunSummary, report: String)?

    /// Tells of a command of a configuration.
    init(_ configuration: Configuration, command: String) {
        settings = configuration.notify
        self.command = command
        app = configuration.records.map(\.name).joined(separator: ", ")
    }

    private var isAsked: Bool { settings.commands.contains(command) }

    /// Tells the monitor that the command begins, while it goes on.
    func began() {
        guard isAsked, let address = settings.ping?.address(of: .start) else { return }
        let text = "mooring \(command): started\n"
        beginning = Task { await Notifier.ping(address, text) }
    }

    /// Who is told, a line for each.
    var ways: [String] {
        let ping = settings.ping.map { ping in
            ping.address(of: .log).map { "ping: \($0), as a log entry" }
                ?? "ping: not tried, since each event has an address of its own"
        }
        return [
            ping, settings.webhook.map { "webhook: \($0.address)" },
            settings.mail.map { "mail: \($0.to), by \($0.command[0])" },
        ].compactMap { $0 }
    }

    /// Keeps the run that is told of at the end, and the folder of its report.
    func keep(_ summary: RunSummary, report: String) { run = (Self.masked(summary), report) }

    /// A run as it may be told of: a deletion request leaves its sums alone behind, and nothing
    /// that names what was erased.
    static func masked(_ summary: RunSummary) -> RunSummary {
        guard summary.command == "erase" else { return summary }
        var told = summary
        told.reason = nil
        told.done = []
        told.notes = []
        for index in told.records.indices { told.records[index].scan.problems = [] }
        for index in told.buckets.indices { told.buckets[index].scan.problems = [] }
        return told
    }

    /// Tells how the command ended.
    func ended(_ result: Result<ExitStatus, any Error>) async {
        guard isAsked else { return }
        // A monitor takes the start behind the end for a run of its own.
        await beginning?.value
        let status: ExitStatus
        var reason = ""
        switch result {
        // As the command's own end will say.
        case .success(let end): status = StandardOutput.loss == nil ? end : .error
        case .failure(let error):
            status = Failure.status(of: error)
            reason = command == "erase" ? "its error stands where it ran" : "\(error)"
        }
        let subject: Notice.Subject =
            run.map { .run($0.summary) } ?? .nothing(command: command, reason: reason)
        let notice = Notice(
            subject, exitStatus: status.rawValue, app: app, report: run?.report)
        for failure in await send(notice, .end(status), isTrial: false) {
            StandardError.report(failure + "; the run's end is not changed by that")
        }
    }

    /// Sends a notice to everybody who is due, or to all as a trial; returns a sentence for each
    /// who did not take it.
    func send(_ notice: Notice, _ event: PingEvent, isTrial: Bool) async -> [String] {
        var failures: [String] = []
        if let address = settings.ping?.address(of: event) {
            if let failure = await Self.post(
                address, "the ping",
                { post in
                    try await post.send(
                        Array(notice.anonymous.utf8), to: address, type: "text/plain")
                })
            {
                failures.append(failure)
            }
        }
        if let webhook = settings.webhook, isTrial || notice.isDue(webhook.occasion) {
            let id = noticeID(isTrial)
            if let failure = await Self.post(
                webhook.address, "the webhook",
                { post in
                    let body = notice.json.rendered
                    try await post.send(
                        body, to: webhook.address, type: "application/json",
                        headers: WebhookSignature.headers(
                            of: body, id: id,
                            seconds: SystemClock.now().nanoseconds / 1_000_000_000,
                            secret: webhook.secret))
                })
            {
                failures.append(failure)
            }
        }
        if let mail = settings.mail, isTrial || notice.isDue(mail.occasion) {
            do {
                try await NoticeMail.send(
                    NoticeMail.message(notice.title, notice.text, mail), mail.command)
            } catch {
                failures.append("the mail was not sent: \(error)")
            }
        }
        return failures
    }

    // A receiver drops what it has had by this; a trial is to be seen.
    private func noticeID(_ isTrial: Bool) -> String {
        let now = SystemClock.now().iso8601
        guard let run = run?.summary.id.text else { return "\(command)-\(now)" }
        return isTrial ? "\(run)-trial-\(now)" : run
    }

    private static func ping(_ address: WebAddress, _ text: String) async {
        let failure = await post(address, "the ping") { post in
            try await post.send(Array(text.utf8), to: address, type: "text/plain")
        }
        if let failure { StandardError.report(failure + "; the run goes on") }
    }

    // The sentence about a sending that failed; nil where it was taken.
    private static func post(
        _ address: WebAddress, _ what: String, _ send: (NoticePost) async throws -> Void
    ) async -> String? {
        do {
            let post = try NoticePost(environment: ProcessInfo.processInfo.environment)
            defer { post.shutdown() }
            try await send(post)
            return nil
        } catch {
            return "\(what) was not taken by \(address): \(error)"
        }
    }
}
