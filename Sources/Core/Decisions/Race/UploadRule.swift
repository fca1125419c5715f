package import MooringModel

/// An open upload and what has arrived of it.
package struct UploadFacts: Hashable, Sendable {
    /// The upload.
    package let upload: OpenUpload
    /// Its parts; nil where the store did not tell.
    package let parts: UploadParts?
    /// Why the store did not tell; nil where it did.
    package let doubt: String?

    /// An upload with its parts, or the reason why nothing is known of them.
    package init(upload: OpenUpload, parts: UploadParts?, doubt: String? = nil) {
        self.upload = upload
        self.parts = parts
        self.doubt = doubt
    }

    /// When its newest part arrived; when it was begun, where there is none.
    package var newestAt: Instant {
        parts?.newestAt.map { max($0, upload.begunAt) } ?? upload.begunAt
    }
}

/// What an open multipart upload may still lead to, and until when.
///
/// The object is not there before its last part, and its parts say when a device last worked on it:
/// M runs from the newest of them, and U from there on.
package struct UploadRule: Sendable {
    private let race: RaceModel
    private let now: Instant

    /// The rule under a race model, at a moment.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// Until when it may get parts, and its object appear. Where the store does not tell its parts,
    /// one may have arrived just now.
    package func partsUntil(_ facts: UploadFacts) -> Instant {
        let newest = facts.doubt == nil ? facts.newestAt : max(facts.newestAt, now)
        return newest + race.multipartWindow + race.clock
    }

    /// Whether it is past the upload window, and so worth a word.
    package func isReported(_ upload: OpenUpload) -> Bool {
        upload.begunAt + race.uploadWindow + race.clock <= now
    }

    /// Whether no device can work on it any more.
    package func isAbandoned(_ facts: UploadFacts) -> Bool {
        facts.doubt == nil && partsUntil(facts) <= now
    }

    /// The moment that the newest part of an upload must lie before, for it to be ended now.
    package var partsBefore: Instant { now - race.multipartWindow - race.clock }

    /// Why an upload that is still worked on explains itself.
    package func explanation(of facts: UploadFacts) -> Explanation {
        Self.explanation(WorkflowCatalogue.multipartUpload.steps[1], until: partsUntil(facts))
    }

    /// Makes an orphan explained whose key an open upload may still write to: its object may be
    /// replaced, and be associated then.
    package func explain(orphan judgement: inout Judgement, by uploads: [UploadFacts]) {
        explain(
            &judgement, by: uploads, WorkflowCatalogue.multipartUpload.steps[2],
            after: race.uploadWindow)
    }

    /// Makes a dangling reference explained whose object an open upload may still bring.
    package func explain(dangling judgement: inout Judgement, by uploads: [UploadFacts]) {
        explain(&judgement, by: uploads, WorkflowCatalogue.multipartUpload.steps[1], after: .zero)
    }

    private func explain(
        _ judgement: inout Judgement, by uploads: [UploadFacts], _ step: WorkflowStep,
        after window: Duration
    ) {
        let open = uploads.filter { partsUntil($0) + window > now }
        guard let last = open.max(by: { partsUntil($0) < partsUntil($1) }) else { return }
        let until = partsUntil(last) + window
        for facts in open { judgement.evidence.append(.uploadOpen(facts)) }
        // What is in doubt stays so, and a windows' end that is later stands.
        guard judgement.verdict != .undecided else { return }
        judgement.verdict = .explained
        if let known = judgement.explanation, known.until >= until { return }
        judgement.explanation = Self.explanation(step, until: until)
    }

    private static func explanation(_ step: WorkflowStep, until: Instant) -> Explanation {
        Explanation(
            workflow: WorkflowCatalogue.multipartUpload.name, step: step.name, until: until)
    }
}
