/// One thing that happens next in a simulated world. A sequence of choices replays a simulation.
package enum Choice: Hashable, Sendable {
    /// Time passes.
    case tick
    /// A device takes its next step.
    case device(Int)
    /// A device begins a workflow on a record and a key, and forgets any other.
    case begin(Int, program: Int, record: Int, key: Int)
    /// A device crashes in the middle of its workflow.
    case stop(Int)
    /// An auditor takes its next step; from rest, it begins a run.
    case auditor(Int)
    /// An auditor takes its next step, and its request meets a fault.
    case fault(Int, Fault)
    /// An auditor sweeps without a scan of its own; only of weakened protocols.
    case sweepAlone(Int)
    /// An auditor dies; its ledger and its journal stay.
    case crash(Int)
    /// A late request is carried out.
    case late(Int)
    /// A late request never is.
    case dropLate(Int)
}

/// What may happen to a request.
package enum Fault: UInt8, Hashable, Sendable, CaseIterable {
    /// It never arrives, and nobody says so.
    case lost
    /// It is carried out, but the answer is lost.
    case answerLost
    /// It is carried out later, and the answer is lost.
    case late
}
