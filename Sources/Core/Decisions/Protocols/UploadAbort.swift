package import MooringModel

/// The protocol that ends the abandoned uploads of one key for good, as a state machine: for each,
/// its parts, asked just before → abort.
///
/// One that got a part since it was judged is left; so is every upload that is not named. An abort
/// without an answer is found out by asking for the parts again.
package struct UploadAbort: PositionedMachine {
    /// What the caller looks at.
    package enum Question: Hashable, Sendable {
        /// Asks what has arrived of an upload.
        case readParts(OpenUpload)
    }

    /// What the caller changes.
    package enum Act: Hashable, Sendable {
        /// Removes its parts for good.
        case abort(OpenUpload, IrreversibleProof)
    }

    /// Where the protocol stands with the upload at hand.
    package enum Position: UInt8, StepPosition, Hashable, Sendable {
        case asking, aborting, finding, resuming, finished
    }

    private let uploads: [OpenUpload]
    // The newest part must lie before.
    private let partsBefore: Instant
    private let proof: IrreversibleProof
    private let isResumed: Bool
    /// Where it stands.
    package internal(set) var position: Position
    private var place = 0
    private var ended = 0
    private(set) var reason = ""

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

    /// What it wants first.
    package var start: Move {
        uploads.first.map { .ask(.readParts($0)) }
            ?? .end(.finish(.failed, reason: "the step names no upload"))
    }

    /// What follows an answer.
    package mutating func handle(_ answer: ObjectAnswer) -> Move {
        guard position != .finished, place < uploads.count else {
            return Self.ended
        }
        switch (position, answer) {
        case (.asking, .parts(nil)):
            return next()
        case (.asking, .parts(let parts?)):
            let newest = UploadFacts(upload: uploads[place], parts: parts).newestAt
            guard newest <= partsBefore else {
                reason = "it got a part at \(newest.iso8601)"
                return next()
            }
            return go(to: .aborting, .abort(uploads[place], proof))
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
            return go(to: .finding, .readParts(uploads[place]))
        case (.finding, .parts):
            return finish(.failed, reason)
        case (.resuming, .parts):
            return finish(.stale, "interrupted before the end of every upload")
        case (_, .failed(let error)):
            return leaveOpen(for: error)
        default:
            return leaveOpen()
        }
    }

    private mutating func next() -> Move {
        place += 1
        guard place < uploads.count else {
            guard ended > 0 else {
                return finish(
                    .stale, reason.isEmpty ? "no such upload is open any more" : reason)
            }
            return finish(.done, reason.isEmpty ? nil : "one upload is left: \(reason)")
        }
        return go(to: isResumed ? .resuming : .asking, .readParts(uploads[place]))
    }
}
