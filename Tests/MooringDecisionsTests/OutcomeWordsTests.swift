import MooringDecisions
import MooringModel
import Testing

/// What a step says of its end, word for word: who reads it has to know what was left where.
@Suite("What the steps say of their ends")
struct OutcomeWordsTests {
    private static let version = Sample.version()
    private static let other = Sample.version(etag: "another")

    private func end<Machine: StepMachine>(
        _ machine: Machine, _ answers: [Machine.Answer]
    ) -> StepEnd? {
        var machine = machine
        var move = machine.start
        for answer in answers { move = machine.handle(answer) }
        guard case .end(let end) = move else { return nil }
        return end
    }

    private typealias Line<Answer> = (answers: [Answer], end: StepEnd)

    private func check<Machine: StepMachine>(
        _ machine: Machine, _ lines: [Line<Machine.Answer>]
    ) {
        for (answers, expected) in lines {
            #expect(end(machine, answers) == expected, "\(answers)")
        }
    }

    // MARK: Orphans

    private static let quarantined: [ObjectAnswer] = [
        .owners(.unreferenced), .head(.present(version)), .moved(.done),
    ]

    @Test("a removal that was not begun says why nothing was removed")
    func notRemoved() {
        check(
            OrphanRemoval(expected: Self.version, proof: Sample.reversible),
            [
                (
                    [.owners(.unknown("locked"))],
                    .finish(
                        .failed, reason: "its possible owners could not be read: locked")
                ),
                (
                    [.owners(.referenced)],
                    .finish(.stale, reason: "a record references the object now")
                ),
                (
                    [.owners(.unreferenced), .head(.unknown("403"))],
                    .finish(.failed, reason: "the object could not be looked at: 403")
                ),
                (
                    [.owners(.unreferenced), .head(.present(Self.other))],
                    .finish(.stale, reason: "the object is another version now")
                ),
                (
                    [.owners(.unreferenced), .head(.absent)],
                    .finish(.stale, reason: "the object is gone already")
                ),
            ])
    }

    @Test("an orphan that a record took up meanwhile goes back, or is said to lie in quarantine")
    func takenUp() {
        let taken = "a record referenced the object meanwhile"
        let referenced = Self.quarantined + [.owners(.referenced)]
        check(
            OrphanRemoval(expected: Self.version, proof: Sample.reversible),
            [
                (referenced + [.moved(.done)], .finish(.putBack, reason: taken)),
                (
                    referenced + [.moved(.stale("a file is in its place"))],
                    .finish(
                        .failed,
                        reason: "\(taken), and it stays in quarantine: a file is in its place")
                ),
                (
                    referenced + [.failed("time-out"), .head(.present(Self.version))],
                    .leaveOpen(reason: "\(taken), but putting it back failed: time-out")
                ),
                (
                    Self.quarantined + [.owners(.unknown("locked")), .moved(.done)],
                    .finish(
                        .putBack, reason: "its possible owners could not be read again: locked")
                ),
            ])
    }

    @Test("an orphan that could not be deleted for good is said to lie in quarantine")
    func notDeleted() {
        let again = Self.quarantined + [.owners(.unreferenced)]
        let stays = StepEnd.finish(.failed, reason: "it stays in quarantine: why")
        check(
            OrphanRemoval(expected: Self.version, deleting: Sample.irreversible),
            [
                (again + [.moved(.stale("why"))], stays),
                (again + [.failed("why"), .head(.present(Self.version))], stays),
                (again + [.failed("why"), .head(.absent)], .finish(.done, reason: nil)),
                (again + [.failed("why"), .head(.unknown("403"))], .leaveOpen(reason: "why")),
            ])
        check(
            OrphanRemoval(expected: Self.version, deleting: Sample.irreversible).resume(),
            [
                (
                    [.head(.present(Self.version))],
                    .finish(
                        .failed, reason: "interrupted; the object stays in quarantine")
                ),
                (
                    [.head(.absent), .head(.present(Self.version))],
                    .finish(.stale, reason: "interrupted before the move")
                ),
                (
                    [.failed("time-out")],
                    .leaveOpen(
                        reason:
                            "what an interrupted step did could not be found out: time-out")
                ),
            ])
    }

    // MARK: Requests

    @Test("what a request could not remove is said to lie in quarantine, or at its key")
    func notErased() throws {
        let scope = try ErasureScope(
            .identity([UInt8]("me")), bucket: nil, levels: AccessLevel.amplify, buckets: [])
        let step = PlanStep(
            id: "s", hash: "", strategy: .delete, finding: "f", bucket: "media",
            key: ObjectKey("private/me/a"), record: nil,
            precondition: Precondition(object: Self.version)
        ).sealed()
        let order = try #require(ErasureOrder(step, under: scope))
        let changed: [ObjectAnswer] = [
            .moved(.done), .moved(.stale("another")), .head(.present(Self.other)),
        ]
        check(
            ObjectErasure(order, expected: Self.version, isHeld: false),
            [
                (
                    [.moved(.done), .failed("time-out"), .head(.present(Self.version))],
                    .finish(.failed, reason: "it stays in quarantine: time-out")
                ),
                (
                    changed + [.moved(.done)],
                    .finish(.stale, reason: "another; it was moved back")
                ),
                (
                    changed + [.moved(.stale("taken"))],
                    .finish(.failed, reason: "another, and it stays in quarantine: taken")
                ),
                (
                    changed + [.failed("time-out"), .head(.present(Self.other))],
                    .finish(
                        .failed,
                        reason: "another, and moving it back failed: time-out; it stays in "
                            + "quarantine")
                ),
                (
                    changed + [.failed("time-out"), .head(.unknown("403"))],
                    .leaveOpen(
                        reason: "another, and moving it back failed: time-out; then: 403")
                ),
            ])
        check(
            ObjectErasure.resume(order, expected: Self.version, isHeld: false),
            [
                (
                    [.head(.absent), .head(.present(Self.version))],
                    .finish(.stale, reason: "interrupted, and an object lies at its key")
                )
            ])
    }

    // MARK: Markers, tags and uploads

    @Test("a deletion that is not taken back says why it stands")
    func notUndeleted() {
        let deletion = Deletion(marker: "m", at: now, hidden: Self.version)
        let another = Deletion(marker: "n", at: now, hidden: Self.version)
        check(
            DeletionReversal(expected: Self.version, marker: "m", proof: Sample.reversible),
            [
                (
                    [.owners(.unknown("locked"))],
                    .finish(.failed, reason: "its record could not be read: locked")
                ),
                (
                    [.owners(.unreferenced)],
                    .finish(
                        .stale, reason: "the record does not reference the object any more")
                ),
                (
                    [.owners(.referenced), .deletion(nil)],
                    .finish(.stale, reason: "no delete marker hides the object any more")
                ),
                (
                    [.owners(.referenced), .deletion(another)],
                    .finish(
                        .stale, reason: "another delete marker or version lies on top now")
                ),
                (
                    [
                        .owners(.referenced), .deletion(deletion), .failed("time-out"),
                        .head(.present(Self.other)),
                    ],
                    .finish(.stale, reason: "an object has this key again")
                ),
            ])
        check(
            DeletionReversal.resume(expected: Self.version, isUndo: false),
            [([.head(.absent)], .finish(.stale, reason: "interrupted before the act"))])
    }

    @Test("a tag that has to go off again says why, and what came of it")
    func untagged() {
        let tagged: [ObjectAnswer] = [
            .owners(.unreferenced), .head(.present(Self.version)), .value(nil), .moved(.done),
        ]
        let taken = "a record referenced the object meanwhile"
        let run = ObjectTagging.run
        let undo = ObjectTagging.undo(expected: Self.version, run: run)
        check(
            ObjectTagging(expected: Self.version, run: run, proof: Sample.reversible),
            [
                (
                    tagged + [.owners(.referenced), .failed("time-out"), .value(run.text)],
                    .leaveOpen(
                        reason: "\(taken), but taking the tag off failed: time-out")
                ),
                (
                    tagged + [.owners(.referenced), .moved(.stale("another"))],
                    .finish(.putBack, reason: "\(taken); another")
                ),
            ])
        check(
            undo,
            [
                (
                    [.failed("time-out"), .value(run.text)],
                    .finish(.failed, reason: "taking the tag off failed: time-out")
                )
            ])
        check(
            undo.resume(),
            [([.value(run.text)], .finish(.stale, reason: "interrupted before the act"))])
    }

    @Test("an upload that goes on says so")
    func uploads() {
        func upload(_ id: String) -> OpenUpload {
            OpenUpload(key: ObjectKey("k"), id: id, begunAt: now - .days(9))
        }
        func abort(_ uploads: [OpenUpload]) -> UploadAbort {
            UploadAbort(
                uploads, partsBefore: now - .days(7), proof: Sample.irreversible)
        }
        let old = UploadParts(count: 1, bytes: 5, newestAt: now - .days(8))
        let young = UploadParts(count: 2, bytes: 9, newestAt: now)
        let late = "it got a part at \(now.iso8601)"
        check(abort([]), [([], .finish(.failed, reason: "the step names no upload"))])
        check(
            abort([upload("a"), upload("b")]),
            [
                (
                    [.parts(nil), .parts(nil)],
                    .finish(.stale, reason: "no such upload is open any more")
                ),
                ([.parts(nil), .parts(young)], .finish(.stale, reason: late)),
                (
                    [.parts(old), .moved(.done), .parts(young)],
                    .finish(.done, reason: "one upload is left: \(late)")
                ),
                (
                    [.parts(old), .failed("time-out"), .parts(old)],
                    .finish(.failed, reason: "time-out")
                ),
            ])
        check(
            abort([upload("a")]).resume(),
            [
                (
                    [.parts(old)],
                    .finish(.stale, reason: "interrupted before the end of every upload")
                )
            ])
    }

    // MARK: Records

    private static let sandwich: [SandwichWrite.Answer] = [
        .record(.held(token: "a")), .look(.asJudged), .record(.held(token: "a")),
    ]
    private static let lost = sandwich + [.failed("time-out"), .fate(.pending)]

    @Test("a record that was not written says why, and whether it may be written still")
    func notWritten() {
        check(
            SandwichWrite(proof: Sample.reversible),
            [
                (
                    [.record(.unknown("locked"))],
                    .finish(.failed, reason: "the record could not be read: locked")
                ),
                (
                    [.record(.held(token: "a")), .look(.unknown("403"))],
                    .finish(.failed, reason: "it could not be looked at: 403")
                ),
                (
                    [.record(.held(token: "a")), .look(.asJudged), .record(.held(token: "b"))],
                    .finish(.stale, reason: "the record changed while it was looked at")
                ),
                (
                    Self.lost + [.fence(.fenced)],
                    .finish(
                        .stale, reason: "time-out; nothing was written, nor can be any more")
                ),
                (
                    Self.lost + [.fence(.outlived)],
                    .finish(
                        .stale,
                        reason: "time-out; nothing was written, and it is too late for it")
                ),
                (
                    Self.lost + [.fence(.impossible)],
                    .leaveOpen(
                        reason: "time-out; the record has no version to fence it off by")
                ),
                (
                    Self.sandwich + [.failed("time-out"), .fate(.overtaken)],
                    .finish(
                        .stale,
                        reason: "time-out; the record was written by somebody else since")
                ),
            ])
        check(
            SandwichWrite(refreshing: Sample.reversible),
            [
                (
                    Self.lost,
                    .finish(
                        .stale,
                        reason: "time-out; it may still be written, and is right then too")
                )
            ])
    }

    @Test("a record that is put back says why, and one that could not be, that it may be gone")
    func putBack() {
        let failing = Array(
            repeating: SandwichWrite.Answer.failed("time-out"), count: SandwichWrite.attempts)
        let written = Self.sandwich + [.written(.written)]
        check(
            SandwichWrite(proof: Sample.reversible),
            [
                (
                    written + [.look(.otherwise("it is there")), .written(.written)],
                    .finish(
                        .putBack,
                        reason: "what it depends on changed meanwhile, or could not be looked at")
                ),
                (
                    written + [.look(.unknown("403")), .written(.stale("x"))],
                    .finish(
                        .stale, reason: "the record was written meanwhile, and is left as it is")
                ),
                (
                    written + [.look(.unknown("403"))] + failing,
                    .leaveOpen(
                        reason: "the reference may be gone: it could not be put back")
                ),
            ])
    }

    @Test("who drives a machine wrongly is told so, and nothing is done")
    func unasked() {
        let unasked = "an answer came that nobody asked for"
        check(
            OrphanRemoval(expected: Self.version, proof: Sample.reversible),
            [
                ([.value(nil)], .finish(.failed, reason: unasked)),
                (
                    [.owners(.referenced), .owners(.referenced)],
                    .finish(.failed, reason: "the step had ended")
                ),
            ])
    }
}
