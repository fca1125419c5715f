import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText

/// Looks whether one rewrite of keys explains a mass of candidates. If so, that is one finding on
/// top of all others, which stay as they are and wait for a right mapping.
struct MappingStage {
    private let search: Search

    /// Begins to look among what was confirmed: candidates count whatever the judge says of them,
    /// who is at work meanwhile.
    init(job: Job, confirmed: Confirmed) {
        search = Search(job: job, confirmed: confirmed)
    }

    /// Adds the finding where there is one, holds every repair back, and answers for the guard.
    func run(_ judged: Judged) throws -> Judged {
        var judged = judged
        judged.mapping = try search.answer { finding in
            for index in judged.findings.indices { MappingGuard.withhold(&judged.findings[index]) }
            judged.findings.append(finding)
            judged.findings.sortForReports()
        }
        return judged
    }
}

/// The search for one rewrite among what was confirmed.
private struct Search {
    private let job: Job
    // Nil where it is not looked for.
    private let best: Ahead<MappingRewrite?>?

    init(job: Job, confirmed: Confirmed) {
        self.job = job
        guard confirmed.candidates.observations.incompleteSides.isEmpty else {
            best = nil
            return
        }
        let missing = Self.missingReferences(confirmed)
        let objects = Self.unreferencedObjects(confirmed, job)
        let interruption = job.interruption
        let search = MappingErrorSearch(
            resolver: job.resolver, models: job.models, isStopped: { interruption.isInterrupted })
        best = Ahead { search.best(missing, objects) }
    }

    /// What the guard says; a mapping error is handed out as a finding.
    func answer(_ found: (Finding) -> Void) throws -> RunSummary.Guard {
        guard let best else {
            return MappingGuard.answer(
                value: "not looked for: a side is incomplete", isMappingError: false, hint: nil)
        }
        try job.interruption.check()
        job.progress.begin("looking for a mapping error", .judge)
        defer { job.progress.end() }
        let rewrite = best.value()
        try job.interruption.check()
        guard let rewrite, rewrite.isMappingError else {
            return MappingGuard.answer(
                value: rewrite.map(Self.value) ?? "none found", isMappingError: false, hint: nil)
        }
        found(try finding(rewrite))
        return MappingGuard.answer(
            place: rewrite.field.map(place), value: Self.value(rewrite), isMappingError: true,
            hint: hint(rewrite))
    }

    private func place(_ field: MappingRewrite.Field) -> GuardedPlace {
        let model = job.models[field.model]
        return .model(source: model.source, model: model.mapping.model)
    }

    // MARK: Candidates

    private static func missingReferences(_ confirmed: Confirmed) -> [DanglingCandidate] {
        var missing: [DanglingCandidate] = []
        missing.reserveCapacity(confirmed.references.count)
        for reference in confirmed.references where !reference.isPresent {
            missing.append(reference.candidate)
        }
        missing += confirmed.candidates.join.rewritable()
        return missing
    }

    // A thumbnail whose source is missed differs from it by a prefix, and that is no error.
    private static func unreferencedObjects(
        _ confirmed: Confirmed, _ job: Job
    ) -> [OrphanCandidate] {
        let candidates = confirmed.candidates
        let derived = DerivedObjects(candidates: candidates, buckets: job.bucketMappings)
        let fits = { (orphan: OrphanCandidate) in
            !confirmed.referenced.contains(WantedKey(orphan)) && !derived.livesWithSource(orphan)
        }
        // There may be very many, and mostly all of them fit.
        return candidates.orphans.allSatisfy(fits)
            ? candidates.orphans : candidates.orphans.filter(fits)
    }

    // MARK: The finding

    private func finding(_ rewrite: MappingRewrite) throws -> Finding {
        let bucket = job.buckets[rewrite.bucket].name
        var finding = Finding(
            id: FindingIdentity.object(.mappingError, bucket: bucket, key: ObjectKey("")),
            kind: .mappingError, cause: rewrite.cause, verdict: .settled)
        finding.bucket = bucket
        finding.action = .keep
        finding.evidence =
            rewrite.samples.map { pair in
                "\(Quoted.brief(ObjectKey(pair.value))) means \(Quoted.brief(pair.meant)), "
                    + "and \(Quoted.brief(pair.key)) is there"
            } + most(rewrite) + [
                "\(Measure.count(rewrite.references, "dangling reference")) and "
                    + "\(Measure.count(rewrite.objects, "orphan")) are candidates",
                "\(rewrite.words(Quoted.brief)) makes \(rewrite.pairs) of them one, "
                    + "\(Measure.share(rewrite.share)) of the smaller side",
            ]
        finding.remember(
            try job.ledger.history(of: [finding.id])[finding.id], at: job.judgedNow)
        return finding
    }

    private func most(_ rewrite: MappingRewrite) -> [String] {
        guard let field = rewrite.field else { return [] }
        return [
            "\(Measure.count(field.references, "reference")) of them: \(name(field)) of "
                + "\(job.models[field.model].source)"
        ]
    }

    private func name(_ field: MappingRewrite.Field) -> String {
        let mapping = job.models[field.model].mapping
        return "\(mapping.model).\(mapping.files[field.field].field)"
    }

    private static func value(_ rewrite: MappingRewrite) -> String {
        let smaller = min(rewrite.references, rewrite.objects)
        return "\(Measure.share(rewrite.share)) (\(rewrite.pairs) of \(smaller), "
            + "\(rewrite.cause.rawValue))"
    }

    private func hint(_ rewrite: MappingRewrite) -> String {
        let field = rewrite.field.map { "files of \(name($0))" } ?? "files"
        let line =
            switch rewrite.cause {
            case .prefix: "'level' under \(field), and 'levels'"
            case .slash: "'level' under \(field), 'levels', and how the app joins paths"
            case .url: "\(field): its values are URLs, and Mooring follows keys"
            case .encoding: "\(field): find out whether records or keys are percent-encoded"
            case .case: "\(field): find out which side changes the case"
            default: "\(field): find out which side changes the Unicode form"
            }
        return "look at \(line); \(rewrite.words(Quoted.brief)) would fit; then run mooring audit"
    }
}

extension Quoted {
    /// The key between quotes, cut in the middle where it is long.
    static func brief(_ key: ObjectKey) -> String {
        let limit = 160
        guard key.bytes.count > limit else { return Quoted.key(key) }
        return Quoted.key(ObjectKey(Array(key.bytes.prefix(limit / 2)))) + "..."
            + Quoted.key(ObjectKey(Array(key.bytes.suffix(limit / 2))))
    }
}

extension Job {
    /// Refuses while the last audit under this configuration that looked found a mapping error: a
    /// plan of an earlier one says nothing about keys that are written differently by now.
    func refuseMappingError(_ refused: String) throws {
        let looked = try ledger.runs().first {
            Pipeline.auditCommands.contains($0.command)
                && $0.configuration == configuration.fingerprint && $0.incompleteSides.isEmpty
                && MappingGuard.answer(in: $0.guards) != nil
        }
        guard let answer = looked.flatMap({ MappingGuard.answer(in: $0.guards) }),
            let refusal = Refusal(guards: [answer], refused: refused)
        else { return }
        throw refusal
    }
}
