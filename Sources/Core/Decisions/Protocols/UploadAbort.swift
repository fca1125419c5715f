package import MooringModel

/// The protocol that ends the abandoned uploads of one key for good, as a state machine: for each,
/// its parts, asked just before → abort.
///
/// Event in, action out. One that got a part since it was judged is left; so is every upload that
/// is not named. An abort without an answer is found out by asking for the parts again.
package struct UploadAbort: Hashable, Sendable {
    /// What the caller does next.
    package enum Action: Hashable, Sendable {
        /// Asks what has arrived of an upload.
        case readParts(OpenUpload)
        /// Removes its parts for good.
        case abort(OpenUpload, IrreversibleProof)
        /// Nothing more; how the step ended, and why.
        case finish(StepOutcome, reason: String?)
        /// Nothing more for now: the intent stays open, and the next run resumes it.
        case leaveOpen(reason: String)
    }

    /// What came of the last action.
    package enum Event: Hashable, Sendable {
        /// Of `readParts`; nil where the upload is not open any more.
        case parts(UploadParts?)
        /// Of `abort`.
        case moved(MoveOutcome)
        /// An answer that did not come: the act may have been carried out or not.
        case failed(String)
    }

    /// Where the protocol stands with the upload at hand.
    package enum Position: UInt8, Hashable, Sendable {
        case asking, aborting, finding, resuming, finished
    }

    private let uploads: [OpenUpload]
    // The newest part must lie before.
    private let partsBefore: Instant
    private let proof: IrreversibleProof
    private let isResumed: Bool
    /// Where it stands.
    package private(set) var position: Position
    private var place = 0
    private var ended = 0
    private var reason = ""

    /// The end of these uploads, where their newest parts lie before a moment.
    package init(_ uploads: [OpenUpload], partsBefore: Instant, proof: IrreversibleProof) {
        self.init(uploads, partsBefore, proof, isResumed: false)
    }

    private init(
        _ uploads: [OpenUpload], _ partsBefore: Instant, _ proof: IrreversibleProof,
        isResumed: Bool
    ) {
        self.uploads = uploads
        self.partsBefore = partsBefore
        self.proof = proof
        self.isResumed = isResumed
        position = isResumed ? .resuming : .asking
    }

    /// The same, taken up after a crash behind its intent; it only finds out what was done.
    package func resume() -> UploadAbort {
        UploadAbort(uploads, partsBefore, proof, isResumed: true)
    }

    /// The first action.
    package var start: Action {
        uploads.first.map { .readParts($0) }
            ?? .finish(.failed, reason: "the step names no upload")
    }

    /// The next action after an event.
    package mutating func handle(_ event: Event) -> Action {
        guard position != .finished, place < uploads.count else {
            return .finish(.failed, reason: "the step had ended")
        }
        switch (position, event) {
        case (.asking, .parts(nil)):
            return next()
        case (.asking, .parts(let parts?)):
            let newest = UploadFacts(upload: uploads[place], parts: parts).newestAt
            guard newest <= partsBefore else {
                reason = "it got a part at \(newest.iso8601)"
                return next()
            }
            position = .aborting
            return .abort(uploads[place], proof)
        case (.asking, .failed(let error)):
            return finish(.failed, error)
        case (.aborting, .moved(.done)), (.finding, .parts(nil)), (.resuming, .parts(nil)):
            ended += 1
            return next()
        case (.aborting, .moved(.stale(let why))):
            reason = why
            return next()
        case (.aborting, .failed(let error)):
            reason = error
            position = .finding
            return .readParts(uploads[place])
        case (.finding, .parts):
            return finish(.failed, reason)
        case (.resuming, .parts):
            return finish(.stale, "interrupted before the end of every upload")
        case (_, .failed(let error)):
            return leaveOpen(error)
        default:
            return leaveOpen("an answer came that nobody asked for")
        }
    }

    private mutating func next() -> Action {
        place += 1
        guard place < uploads.count else {
            guard ended > 0 else {
                return finish(
                    .stale, reason.isEmpty ? "no such upload is open any more" : reason)
            }
            return finish(.done, reason.isEmpty ? nil : "one upload is left: \(reason)")
        }
        position = isResumed ? .resuming : .asking
        return .readParts(uploads[place])
    }

    private mutating func leaveOpen(_ doubt: String) -> Action {
        position = .finished
        return .leaveOpen(reason: reason.isEmpty ? doubt : reason)
    }

    private mutating func finish(_ outcome: StepOutcome, _ reason: String?) -> Action {
        position = .finished
        return .finish(outcome, reason: reason)
    }
}
