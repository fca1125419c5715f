import Glibc
import MooringConfiguration
import MooringDecisions
import MooringFiles
import MooringLedger
import MooringModel
import MooringPipeline

/// Gathers the members of an archive of evidence, and writes it.
struct EvidenceArchive {
    /// The configuration, and the folder for scratch.
    let session: Session
    /// What is read.
    let ledger: Ledger
    /// What it is about.
    let scope: EvidenceScope

    // Runs before and after the one that it is about.
    private static let neighbours = 10

    /// Writes the archive to a new file; throws `WriteFailure` where that cannot be.
    ///
    /// Gives the manifest, and SHA-256 of the file in hexadecimal.
    func write(to path: String) throws -> (manifest: EvidenceManifest, digest: String) {
        // First, so that a name that is taken is told before everything is read.
        let archive = try TarWriter(path: path, time: scope.run.startedAt.nanoseconds / Self.second)
        let breaks = try ledger.verifyJournal().breaks.map(\.text)
        let (journal, chain, head) = try excerpt()
        let members =
            try [document("report.json", report())] + found() + plans()
            + [journal, chain, document("configuration.json", configuration())]
            + [
                document("stores.json", ledger.knownStores()),
                document("runs.json", runs()), document("versions.json", versions()),
            ]
        let manifest = EvidenceManifest(
            version: Session.version, run: scope.run.id, subject: scope.subject,
            createdAt: SystemClock.now(), head: head, journalBreaks: breaks,
            members: members.map(\.member))
        let bytes = manifest.json.prettyRendered
        try archive.begin(
            manifest.folder + EvidenceManifest.name, size: Int64(bytes.count))
        try archive.append(bytes)
        for member in members {
            try archive.begin(manifest.folder + member.name, size: member.member.size)
            try member.read { try archive.append($0) }
        }
        try archive.finish()
        return (manifest, archive.digest.text)
    }

    private static let second: Int64 = 1_000_000_000

    private func spool(_ name: String) throws -> MemberSpool {
        try MemberSpool(name, in: session.options.scratchFolder)
    }

    private func document(_ name: String, _ value: JSONValue) throws -> MemberSpool {
        let spool = try spool(name)
        try spool.append(value.prettyRendered)
        return spool
    }

    // Its steps name other people's objects too, as a plan does.
    private func report() throws -> JSONValue {
        guard scope.subject != nil else { return try scope.run.told(by: ledger).json }
        // Neither do the words of a run that may hold somebody else's key.
        var run = scope.run
        (run.reason, run.notes) = (nil, [])
        for index in run.records.indices { run.records[index].scan.problems = [] }
        for index in run.buckets.indices { run.buckets[index].scan.problems = [] }
        return run.json
    }

    // A run's findings as its report has them, or what every run found about one object or record.
    private func found() throws -> [MemberSpool] {
        guard scope.subject == nil else {
            let story = try spool("story.jsonl")
            for appearance in try scope.appearances(ledger) {
                try story.append(
                    line: .members([
                        "run": .string(appearance.run.text),
                        "finding": appearance.finding.json(),
                    ]))
            }
            return [story]
        }
        let findings = try spool("findings.jsonl")
        let outcomes = try ledger.outcomes(in: scope.run.id)
        try ledger.findings(in: scope.run.id, FindingFilter()) { batch in
            for finding in batch.ended(outcomes) { try findings.append(line: finding.json()) }
        }
        if scope.run.command == "repair" {
            for finding in try session.repairedFindings(of: scope.run.id, ledger) {
                try findings.append(line: finding.json())
            }
        }
        return [findings]
    }

    // A plan names other people's objects too; an entry of the journal holds its own step.
    private func plans() throws -> [MemberSpool] {
        guard scope.subject == nil else { return [] }
        let plans = try ledger.plans(of: scope.run.id)
        guard !plans.isEmpty else { return [] }
        let spool = try spool("plans.jsonl")
        for plan in plans { try spool.append(line: plan.json) }
        return [spool]
    }

    private func excerpt() throws -> (MemberSpool, MemberSpool, JournalPlace) {
        var taker = ExcerptSpools(
            journal: try spool("journal.jsonl"), chain: try spool("chain.jsonl"))
        let head = try ledger.excerpt(of: scope.journal, into: &taker)
        return (taker.journal, taker.chain, head)
    }

    private func configuration() throws -> JSONValue {
        let own = session.configuration
        return .members([
            "file": .string(own.file), "fingerprint": .string(own.fingerprint),
            "isThatOfRun": .bool(own.fingerprint == scope.run.configuration),
            "values": try ShownConfiguration.json(path: own.file),
        ])
    }

    private func runs() throws -> JSONValue {
        let all = try ledger.runs(limit: nil)
        let place = all.firstIndex { $0.id == scope.run.id } ?? 0
        let around =
            all[max(0, place - Self.neighbours)..<min(all.count, place + Self.neighbours + 1)]
        return .members(["runs": .array(around.map(RunsCommand.document))])
    }

    private func versions() throws -> JSONValue {
        var name = utsname()
        uname(&name)
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        return .members([
            "mooring": .string(Session.version),
            "mooringOfRun": .string(scope.run.programVersion),
            "sqlite": .string(try ledger.databaseVersion()),
            "system": .string(text(name.sysname)), "release": .string(text(name.release)),
            "machine": .string(text(name.machine)),
        ])
    }
}

/// Writes an excerpt of the journal into two members.
private struct ExcerptSpools: JournalExcerptTaker {
    let journal: MemberSpool
    let chain: MemberSpool

    func take(_ entry: JournalExcerptEntry) throws { try journal.append(line: entry.json) }
    func begin(at place: JournalPlace) throws { try chain.append(line: place.json) }
    func take(_ link: JournalExcerptLink) throws { try chain.append(line: link.json) }
}
