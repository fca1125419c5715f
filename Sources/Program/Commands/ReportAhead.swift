import Dispatch
import MooringModel
import MooringReporting
import MooringText
import Synchronization

/// A run's report whose findings are written while the ledger keeps them, on another core.
///
/// Nothing of it is seen until its writer has finished it: that comes behind the ledger. A run that
/// ends with an error before leaves nothing of it.
final class ReportAhead: Sendable {
    /// Makes the writer of a run's report, which is told what was found.
    typealias Opening = @Sendable ([Finding], RunSummary) throws -> ReportWriter

    // The writer belongs to one thread: first to the one that adds the findings, and behind its end
    // to the one that waited for it.
    private struct Written: @unchecked Sendable {
        let writer: Result<ReportWriter, any Error>
    }

    private let opening: Opening
    private let written = Mutex<Ahead<Written>?>(nil)
    private let stop = Stop()

    private final class Stop: Sendable {
        let isWanted = Atomic(false)
    }

    /// A report that is begun once something was found.
    init(_ opening: @escaping Opening) { self.opening = opening }

    deinit { abandon() }

    /// Begins to write the findings of a run, which are in report order.
    func begin(_ findings: [Finding], _ summary: RunSummary) {
        let (opening, stop) = (opening, stop)
        let ahead = Ahead {
            Written(writer: Result { try Self.write(findings, summary, opening, stop) })
        }
        written.withLock { $0 = ahead }
    }

    /// The writer, once it has all findings; nil where none was begun. Throws what kept it from
    /// them. Whoever takes it ends it.
    func take() throws -> ReportWriter? { try end()?.get() }

    /// Gives the report up; nothing of it is left when the call returns.
    func abandon() {
        stop.isWanted.store(true, ordering: .relaxed)
        if case .success(let writer) = end() { writer.abandon() }
    }

    private func end() -> Result<ReportWriter, any Error>? {
        let ahead = written.withLock { held in
            defer { held = nil }
            return held
        }
        return ahead?.value().writer
    }

    // A few at once: so they are rendered on this core alone, while another one keeps them.
    private static let addedAtOnce = Cores.leastEach

    private static func write(
        _ findings: [Finding], _ summary: RunSummary, _ opening: Opening, _ stop: Stop
    ) throws -> ReportWriter {
        let writer = try opening(findings, summary)
        do {
            for page in findings.chunks(of: addedAtOnce) {
                if stop.isWanted.load(ordering: .relaxed) { break }
                try writer.add(Array(page))
            }
        } catch {
            writer.abandon()
            throw error
        }
        return writer
    }
}
