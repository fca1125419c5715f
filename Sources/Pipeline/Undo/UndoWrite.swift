import MooringModel
import MooringDecisions

/// The write that takes a change of a record back, which has no look afterwards: it is done when
/// the record is as it writes it.
///
/// A late one is not fenced off. It only does what was asked for, and a fence would move the record
/// on, so that the same repair could not be taken back any more.
struct UndoWrite {
    /// The write, from what the record holds by now to what it held.
    let write: RecordWrite

    /// Sends it, and asks what became of it where no answer came.
    func carryOut() async -> StepEnd {
        switch await write.send() {
        case .written(.written): .finish(.done, reason: nil)
        case .written(.stale(let why)): .finish(.stale, reason: why)
        case .refused(let why): .finish(.failed, reason: why)
        case .failed(let error): await fate(ifNot: .failed, error)
        default: .leaveOpen(reason: "it was not written")
        }
    }

    /// What the write did; says `otherwise` where the record is as before it.
    func fate(ifNot otherwise: StepOutcome, _ reason: String) async -> StepEnd {
        switch await write.fate() {
        case .written: .finish(.done, reason: nil)
        case .pending: .finish(otherwise, reason: reason)
        case .overtaken, .rewritten:
            .finish(
                .stale, reason: "\(reason); the record was written by somebody else since")
        case .unknown(let doubt): .leaveOpen(reason: doubt)
        }
    }
}
