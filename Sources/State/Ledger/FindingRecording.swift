package import MooringModel
import MooringText
import Synchronization

/// One run's findings while they are recorded, batch after batch.
///
/// Until the end no batch is seen by anybody: a run that is killed before recorded nothing, and
/// the next recording of its series removes what it left. Only one is open at a time.
package final class FindingRecording: Sendable {
    private let ledger: Ledger
    private let refused: String
    // Nil once it has ended, or a batch was not written.
    private let writer: Mutex<FindingWriter?>

    fileprivate init(_ ledger: Ledger, _ writer: FindingWriter, refused: String) {
        self.ledger = ledger
        self.refused = refused
        self.writer = Mutex(writer)
    }

    /// Adds findings, in any order; one that was added before is replaced. All of them are on disk
    /// when the call returns, or the recording is over.
    package func add(_ findings: [Finding]) throws(LedgerError) {
        var own = try take()
        try ledger.write(refused) { db in
            try own.write(findings, db)
        }
        writer.withLock { $0 = own }
    }

    /// Makes the findings the run's own: those that it has not added are over in its series.
    package func end() throws(LedgerError) {
        let own = try take()
        try ledger.write(refused) { db in try own.end(db) }
    }

    private func take() throws(LedgerError) -> FindingWriter {
        let own = writer.withLock { held in
            defer { held = nil }
            return held
        }
        guard let own else {
            throw ledger.conflict(
                "the recording is over", refused: refused, hint: "start another run")
        }
        return own
    }
}

extension Ledger {
    /// Begins to record the findings of a run that has begun and recorded none, in a series.
    package func recording(
        of run: RunID, in series: FindingSeries, words: RunWords = RunWords()
    ) throws(LedgerError) -> FindingRecording {
        let refused = "recording findings of run \(run.text)"
        let writer = try write(refused) { db in
            let number = try knownNumber(of: run, db, refused: refused)
            guard try RecordedRun(run, db) == nil else {
                throw conflict(
                    "they are in it already", refused: refused, hint: "start another run")
            }
            return try FindingWriter(db, run: number, series: series, words: words)
        }
        return FindingRecording(self, writer, refused: refused)
    }

    /// Records all findings of a run that has begun: in batches, and so that they are the run's
    /// own once all of them are on disk.
    package func record(
        _ findings: [Finding], of run: RunID, in series: FindingSeries, words: RunWords
    ) throws(LedgerError) {
        let recording = try recording(of: run, in: series, words: words)
        for batch in findings.chunks(of: Self.recordedAtOnce(of: findings.count)) {
            try recording.add(Array(batch))
        }
        try recording.end()
    }

    // A batch rewrites nearly every page of the ids' index where it is not small, so that there
    // have to be few of them.
    private static func recordedAtOnce(of count: Int) -> Int {
        min(max(20_000, count / 8), 80_000)
    }

    /// Stores findings of a run that has begun in one transaction; one that it recorded already is
    /// replaced, and others that it recorded stay.
    ///
    /// A finding counts once for each run. Its first sight is the earliest that was ever recorded;
    /// where the finding names none, that is the start of the run. Throws a conflict where the run
    /// recorded findings before and another one of the series did since.
    package func record(
        _ findings: [Finding], in run: RunID,
        series: FindingSeries = FindingSeries(scope: "", configuration: ""),
        words: RunWords = RunWords()
    ) throws(LedgerError) {
        let refused = "recording findings of run \(run.text)"
        try write(refused) { db in
            let number = try knownNumber(of: run, db, refused: refused)
            do {
                var writer = try FindingWriter(db, run: number, series: series, words: words)
                try writer.write(findings, db)
                try writer.end(db)
            } catch is FindingWriter.RecordedSince {
                throw conflict(
                    "another run recorded its findings since", refused: refused,
                    hint: "start another run")
            }
        }
    }
}
