import MooringDecisions
import MooringModel
import MooringReconcile

/// Confirm: pass B over every table, then a look at whatever it leaves in question.
struct ConfirmStage {
    /// What the stage works with.
    let job: Job

    /// Reads every source once more, looks at every object that is missed, and gives each candidate
    /// its answers.
    func run(_ candidates: Candidates) async throws -> Confirmed {
        let beganAt = job.clock()
        let uploads = try await UploadLook(job: job, candidates: candidates).run()
        var pass = PassB(job, candidates)
        let isIdle =
            pass.wanted.keys.isEmpty && candidates.dangling.isEmpty
            && !candidates.rows.hasCandidates
        if !isIdle { try await pass.run(job, candidates) }
        var confirmed = Confirmed(
            candidates: candidates, uploads: uploads, rows: pass.rows, outboxes: pass.outboxes,
            forms: pass.forms, beganAt: beganAt, endedAt: beganAt)
        confirmed.candidates.observations.note(pass.incomplete)
        guard !isIdle else { return confirmed }
        confirmed.columns = try await NullableColumns.read(nullable(candidates), job)
        let looks = try await MissingObjectLook.look(at: candidates.dangling, pass.scan, job)
        confirmed.candidates.observations.note(
            listings: UnlistedObjects(job: job, observations: candidates.observations)
                .problems(candidates.dangling, looks))
        confirmed.references = try await references(candidates, pass, looks)
        confirmed.held = try await held(candidates, pass)
        addOrphans(candidates, pass, to: &confirmed)
        try await SiblingLook(job: job).run(&confirmed.orphans)
        confirmed.candidates.observations.noteScratch(job)
        confirmed.endedAt = job.clock()
        return confirmed
    }

    // MARK: What each candidate is told

    private func references(
        _ candidates: Candidates, _ pass: PassB, _ looks: [Int: MissingObjectLook]
    ) async throws -> [ConfirmedReference] {
        let meanings = try await MeaningLook(job: job, candidates: candidates).run(pass)
        var references: [ConfirmedReference] = []
        references.reserveCapacity(pass.scan.standing.count)
        for (number, candidate) in candidates.dangling.enumerated() {
            guard let seen = pass.scan.standing[number] else { continue }
            references.append(
                ConfirmedReference(
                    candidate: candidate, seen: seen,
                    doubt: pass.scan.doubtful.contains(number)
                        ? pass.scan.doubt(about: number) : nil,
                    vanished: candidates.vanished.position(of: number), look: looks[number],
                    meaning: meanings[number]))
        }
        return references
    }

    private func held(
        _ candidates: Candidates, _ pass: PassB
    ) async throws -> [ConfirmedHeld] {
        let successors = try await SuccessorLook(job: job, candidates: candidates).run(pass)
        let texts = Dictionary(grouping: pass.scan.unmapped, by: \.wanted)
        return candidates.quarantined.enumerated().map { place, entry in
            let number = pass.wanted.number(of: .held(place))
            return ConfirmedHeld(
                bucket: entry.bucket, object: entry.object, answer: pass.scan.answer(about: number),
                texts: (texts[number] ?? []).sorted { $0.place.precedes($1.place) },
                successor: successors[place])
        }
    }

    private func addOrphans(
        _ candidates: Candidates, _ pass: PassB, to confirmed: inout Confirmed
    ) {
        let texts = Dictionary(grouping: pass.scan.unmapped, by: \.wanted)
        confirmed.orphans.reserveCapacity(candidates.orphans.count)
        for (place, candidate) in candidates.orphans.enumerated() {
            let number = pass.wanted.number(of: .orphan(place))
            guard !pass.scan.referenced.contains(number) else {
                confirmed.referenced.insert(WantedKey(candidate))
                continue
            }
            // A write that was not sent yet is what an outbox is for, and no mistake of mapping.
            let waiting = (texts[number] ?? []).compactMap { pass.outboxes.write(at: $0.place) }
            let matches = (texts[number] ?? []).filter { pass.outboxes.write(at: $0.place) == nil }
            guard matches.isEmpty else {
                confirmed.protections += matches.map { Protection(candidate: candidate, match: $0) }
                continue
            }
            confirmed.orphans.append(
                ConfirmedOrphan(
                    candidate: candidate, answer: pass.scan.answer(about: number),
                    waiting: waiting.sorted {
                        ($0.device, $0.madeAt ?? .distantPast)
                            < ($1.device, $1.madeAt ?? .distantPast)
                    }))
        }
    }

    // The models of which a reference or a relation may be nulled.
    private func nullable(_ candidates: Candidates) -> [SourceModel] {
        let models = job.models
        let referring = Set(candidates.dangling.map(\.model))
        return models.indices.filter { model in
            referring.contains(model)
                || candidates.rows.hasCandidates && !models[model].mapping.relations.isEmpty
        }.map { models[$0] }
    }
}
