/// What a run found and did, as `report.json` holds it.
package struct RunSummary: Hashable, Sendable {
    /// How a run ended.
    package enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        case complete, incomplete, refused, failed, interrupted
        /// Not ended yet, or ended without a word (a crash); never in a report.
        case running
    }

    /// One record source, as it was scanned.
    package struct Records: Hashable, Sendable {
        /// The source's name and kind.
        package var name: String
        package var kind: String
        /// Records read in pass A.
        package var records: Int
        /// References read in pass A.
        package var references: Int
        /// How pass A went.
        package var scan: ScanResult.Summary

        /// A source's scan.
        package init(
            name: String, kind: String, records: Int, references: Int, scan: ScanResult.Summary
        ) {
            self.name = name
            self.kind = kind
            self.records = records
            self.references = references
            self.scan = scan
        }
    }

    /// One bucket, as it was listed.
    package struct Objects: Hashable, Sendable {
        /// The bucket's name and kind.
        package var name: String
        package var kind: String
        /// Objects listed inside the prefixes.
        package var objects: Int
        /// The sizes of these objects together.
        package var bytes: Int64
        /// Objects in quarantine, and their bytes.
        package var quarantined: Int
        package var quarantinedBytes: Int64
        /// How the listing went.
        package var scan: ScanResult.Summary

        /// A bucket's scan.
        package init(
            name: String, kind: String, objects: Int, bytes: Int64, quarantined: Int,
            quarantinedBytes: Int64, scan: ScanResult.Summary
        ) {
            self.name = name
            self.kind = kind
            self.objects = objects
            self.bytes = bytes
            self.quarantined = quarantined
            self.quarantinedBytes = quarantinedBytes
            self.scan = scan
        }
    }

    /// Findings of one kind, by verdict.
    package struct Count: Hashable, Sendable {
        /// Findings of each verdict.
        package var settled = 0
        package var explained = 0
        package var undecided = 0
        /// Bytes of the objects that the findings name.
        package var bytes: Int64 = 0
        /// Bytes of the settled ones alone.
        package var settledBytes: Int64 = 0
        /// Findings that no earlier run saw.
        package var new = 0

        /// No findings.
        package init() {}

        /// Findings of every verdict.
        package var total: Int { settled + explained + undecided }
    }

    /// A guard and the number it compared.
    package struct Guard: Hashable, Sendable {
        /// The guard's name, as `--accept` takes it.
        package var name: String
        /// Where it measured, as `--accept` takes it; nil of a plan, a sweep or a whole run.
        package var place: String?
        /// The limit and the measured value, both with their unit.
        package var limit: String
        package var value: String
        /// Whether it refuses repairs.
        package var refused: Bool
        /// The measured number by itself: a share of one, a count or bytes; nil where there is
        /// none, so that nothing can be accepted.
        package var number: Double?
        /// What is most likely wrong, when it refuses and the numbers tell.
        package var cause: String?
        /// What `--accept` takes to let it pass; nil where it does not refuse, where nothing can
        /// be accepted, and where the number is too large for a ready command.
        package var acceptance: String?
        /// The value that was accepted in words and let it pass; nil where nothing was needed.
        package var accepted: String?
        /// What to do next, when it refuses.
        package var hint: String?

        /// A guard's answer.
        package init(
            name: String, place: String? = nil, limit: String, value: String, refused: Bool,
            hint: String? = nil
        ) {
            self.name = name
            self.place = place
            self.limit = limit
            self.value = value
            self.refused = refused
            self.hint = hint
        }
    }

    /// A file field of a model, as pass A read it.
    package struct Field: Hashable, Sendable {
        /// The record source's name.
        package var source: String
        /// The model and the field, such as `Song.coverArtKey`.
        package var field: String
        /// Records of the model, tombstones left out.
        package var records: Int
        /// Those of them whose field holds a key.
        package var held: Int
        /// The references in them, several of a list.
        package var references: Int
        /// The references whose object was listed.
        package var listed: Int
        /// The newest change of any of the model's records; nil where none tells.
        package var newestChange: Instant?

        /// A field.
        package init(
            source: String, field: String, records: Int, held: Int, references: Int, listed: Int,
            newestChange: Instant?
        ) {
            self.source = source
            self.field = field
            self.records = records
            self.held = held
            self.references = references
            self.listed = listed
            self.newestChange = newestChange
        }
    }

    /// Steps by how they ended.
    package struct Repairs: Hashable, Sendable {
        /// Steps of each outcome; planned ones are all that the run meant to carry out.
        package var planned = 0
        package var done = 0
        package var stale = 0
        package var failed = 0

        /// No steps.
        package init() {}
    }

    /// The run's name, which its folder of reports has too.
    package var id: RunID
    /// The command's name, such as `audit`.
    package var command: String
    /// The version of the program that ran.
    package var programVersion: String
    package var startedAt: Instant
    package var finishedAt: Instant?
    package var status: Status
    /// Why it was refused, failed or stayed incomplete.
    package var reason: String?
    /// SHA-256 in hexadecimal of the configuration's values that decide what a run does.
    package var configuration: String
    package var records: [Records] = []
    package var buckets: [Objects] = []
    package var counts: [FindingKind: Count] = [:]
    package var guards: [Guard] = []
    /// What a check compared, in the configuration's order; empty of any other run.
    package var gates: [Gate] = []
    /// What became of the findings since the scan before; nil where none was complete, and of a run
    /// that did not scan both sides to their end.
    package var change: Change?
    /// What each file field of each model held.
    package var fields: [Field] = []
    /// What was accepted in words, by guard and place, with the value that was written.
    package var accepted: [String: String] = [:]
    package var repairs = Repairs()
    /// The steps that ended, at most `keptSteps`, in the order in which they did; only where a
    /// report is written, and taken from the journal, which forgets what was erased on request.
    package var done: [EndedStep] = []
    /// What it takes until something is done about the findings, each kind and reason once.
    package var waiting: [Waiting] = []
    /// Earlier complete scans and this one, oldest first; only where a report is written.
    package var trend: [Past] = []
    /// What bytes and requests cost; nil where nobody says.
    package var prices: Prices?
    /// Sentences that every reader must see, such as which key turns a guard off.
    package var notes: [String] = []
    /// When the confirm scan ended; nil when there was none.
    package var confirmedAt: Instant?
    /// When the newest run of the same command ended that succeeded before this one began; nil
    /// where none did.
    package var lastSuccess: Instant?
    /// The most memory that its process took at once, in bytes; nil until it ended.
    package var peakMemory: Int64?
    /// Places that records reference and that lay in a scratch file, beyond what `--memory` gives.
    package var spilled = 0

    /// A run that begins.
    package init(
        id: RunID, command: String, programVersion: String, startedAt: Instant,
        configuration: String
    ) {
        self.id = id
        self.command = command
        self.programVersion = programVersion
        self.startedAt = startedAt
        self.status = .running
        self.configuration = configuration
    }
}

extension RunSummary {
    /// How a run's note under `--as-of` begins.
    package static let asOfNote = "judged as of "

    /// Whether it was judged as of another moment.
    package var isJudgedAsOf: Bool { notes.contains { $0.hasPrefix(Self.asOfNote) } }

    /// Whether it looked at what another run looked at: under the same configuration, or at one
    /// store at least of the same name.
    package func isAbout(_ other: RunSummary) -> Bool {
        isAbout(
            buckets: other.buckets.map(\.name), records: other.records.map(\.name),
            under: other.configuration)
    }

    /// The same of a run that begins: it will look at buckets and record sources of these names,
    /// under a configuration with this fingerprint.
    package func isAbout(
        buckets names: [String], records sources: [String], under fingerprint: String
    ) -> Bool {
        configuration == fingerprint
            || !Set(buckets.map(\.name)).isDisjoint(with: names)
            || !Set(records.map(\.name)).isDisjoint(with: sources)
    }

    /// Whether any step of the run has ended.
    package var hasActed: Bool { repairs.done + repairs.stale + repairs.failed > 0 }

    /// Whether both sides were scanned to their end, whatever became of the repair.
    package var isCompleteScan: Bool {
        switch status {
        case .complete: true
        case .refused:
            !(records.isEmpty && buckets.isEmpty)
                && records.allSatisfy(\.scan.complete) && buckets.allSatisfy(\.scan.complete)
        case .incomplete, .failed, .interrupted, .running: false
        }
    }
}

extension ScanResult {
    /// A scan's result as a report holds it: problems as text.
    package struct Summary: Hashable, Sendable {
        /// What `ScanResult` says under the same names.
        package var complete: Bool
        package var consistency: String
        package var window: ScanWindow
        package var requests: Int
        /// The kept problems, one line each.
        package var problems: [String]
        /// How many problems there were, kept or not.
        package var problemCount: Int

        /// A summary of a scan.
        package init(
            complete: Bool, consistency: String, window: ScanWindow, requests: Int,
            problems: [String], problemCount: Int
        ) {
            self.complete = complete
            self.consistency = consistency
            self.window = window
            self.requests = requests
            self.problems = problems
            self.problemCount = problemCount
        }

        /// Adds a problem, so that the side counts as not read to its end. What several readings
        /// met is told once.
        package mutating func add(problem: String) {
            complete = false
            guard !problems.contains(problem) else { return }
            problems.append(problem)
            problemCount += 1
        }
    }

    /// The result for a report.
    package var summary: Summary {
        Summary(
            complete: isComplete, consistency: consistency, window: window, requests: requests,
            problems: problems.map(\.text), problemCount: problemCount)
    }
}
