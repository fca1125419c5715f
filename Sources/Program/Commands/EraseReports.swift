import Foundation
import MooringDecisions
import MooringLedger
import MooringModel
import MooringPipeline
import MooringReporting

/// Takes a person's objects out of earlier report folders: those that name them are removed, and
/// made anew from the ledger once nothing is left there.
struct EraseReports: ErasedReports {
    /// Where reports lie, and in which formats they are made.
    let session: Session
    /// What they are made from.
    let ledger: Ledger

    private var removed: [Removed] = []

    /// Reports of a session, over its ledger.
    init(session: Session, ledger: Ledger) {
        self.session = session
        self.ledger = ledger
    }

    /// A report that was removed.
    private struct Removed: Hashable {
        /// The run; nil of a folder that a crash left.
        let run: RunID?
        /// The formats it had.
        let formats: [ReportFormat]
    }

    private static let formats = Dictionary(
        uniqueKeysWithValues: ReportFormat.allCases.map { ($0.fileName, $0) })

    /// Removes the folders of the runs that the ledger names, and of every other run in whose
    /// files what the keys begin with stands.
    mutating func remove(about scope: ErasureScope) throws -> Int {
        let named = try ledger.runs(about: scope)
        let words = ErasureWords(scope)
        let shown =
            words.inJSON + words.heads.map { Array(VisibleText.ascii($0).utf8) } + words.heads
            + words.heads.map(Self.inAnnotations)
        for name in try folders() {
            let path = "\(session.reportDirectory)/\(name)"
            let run = RunID(name)
            let files = try FileManager.default.contentsOfDirectory(atPath: path)
            // What a crash left of a report is none, and made of pieces that nobody can read.
            guard
                try run.map(named.contains) ?? true
                    || files.contains(where: { try Self.holds(shown, "\(path)/\($0)") })
            else { continue }
            try ReportFolders.remove(path)
            removed.append(
                Removed(run: run, formats: files.sorted().compactMap { Self.formats[$0] }))
        }
        return removed.count
    }

    /// Makes the reports of runs that the ledger still knows anew.
    func writeAgain() throws {
        for report in removed where !report.formats.isEmpty {
            guard let run = report.run, let summary = try ledger.run(run) else { continue }
            _ = try session.writeReport(summary, from: ledger, formats: report.formats)
        }
        try removeLinkToNothing()
    }

    // As annotations write a percent sign.
    private static func inAnnotations(_ head: [UInt8]) -> [UInt8] {
        Array(VisibleText.ascii(head).replacing("%", with: "%25").utf8)
    }

    // Also what a crash left of a report that was being written: `.RUN.partial`, `.RUN.old`.
    private func folders() throws -> [String] {
        let manager = FileManager.default
        guard manager.fileExists(atPath: session.reportDirectory) else { return [] }
        return try manager.contentsOfDirectory(atPath: session.reportDirectory).filter { name in
            let core = name.hasPrefix(".") ? String(name.dropFirst().prefix(23)) : name
            return RunID(core) != nil
        }.sorted()
    }

    private static func holds(_ words: [[UInt8]], _ path: String) throws -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return false }
        let data = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        if data.withUnsafeBytes({ ErasureWords.stand(words, in: $0) }) { return true }
        // A page holds its findings in blocks that no search of its bytes sees.
        return path.hasSuffix("/" + ReportFormat.html.fileName)
            && PageText.blocks(of: [UInt8](data)) { ErasureWords.stand(words, in: $0) }
    }

    private func removeLinkToNothing() throws {
        let link = "\(session.reportDirectory)/latest"
        let manager = FileManager.default
        guard !manager.fileExists(atPath: link),
            // A path without a link is the usual case, and no error.
            (try? manager.destinationOfSymbolicLink(atPath: link)) != nil
        else { return }
        try manager.removeItem(atPath: link)
    }
}
