import MooringDecisions
import MooringModel

extension ObjectTagging: WalkedMachine {
    static let run = RunID(startingAt: now)

    static let answers: [Answer] = [
        .owners(.unreferenced), .owners(.referenced), .owners(.sourceLives),
        .owners(.unknown("why")), .head(.present(Sample.version())),
        .head(.present(Sample.version(etag: "another"))), .head(.absent), .head(.unknown("why")),
        .value(nil), .value(run.text), .value("other"), .moved(.done), .moved(.stale("why")),
        .failed("time-out"),
    ]
}

extension DeletionReversal: WalkedMachine {
    static let deletion = Deletion(marker: "m", at: now - .days(9), hidden: Sample.version())
    static let other = Deletion(marker: "n", at: now, hidden: Sample.version())

    static let answers: [Answer] = [
        .owners(.unreferenced), .owners(.referenced), .owners(.sourceLives),
        .owners(.unknown("why")), .deletion(deletion), .deletion(other), .deletion(nil),
        .head(.present(Sample.version())), .head(.present(Sample.version(etag: "another"))),
        .head(.absent), .head(.unknown("why")), .moved(.done), .moved(.stale("why")),
        .failed("time-out"),
    ]
}

extension UploadAbort: WalkedMachine {
    static let uploads = ["a", "b"].map {
        OpenUpload(key: ObjectKey("k"), id: $0, begunAt: now - .days(30))
    }

    static let answers: [Answer] = [
        .parts(nil), .parts(UploadParts(count: 0, bytes: 0, newestAt: nil)),
        .parts(UploadParts(count: 1, bytes: 5, newestAt: now - .days(1))),
        .moved(.done), .moved(.stale("why")), .failed("time-out"),
    ]
}
