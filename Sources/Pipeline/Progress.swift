/// The parts of a run that looks at both sides, in the order in which they come.
package enum Phase: Int, CaseIterable, Sendable {
    case uploads = 1
    case records, objects, join, confirm, judge, report
}

/// Is told how far a run is; shows it on a terminal or keeps quiet.
package protocol Progress: Sendable {
    /// A stage begins: in a phase, where the run has phases, and with about so many items, where
    /// that is known.
    func begin(_ stage: String, _ phase: Phase?, of expected: Int?)
    /// So many more items of the stage are done.
    func advance(_ count: Int)
    /// The stage has ended.
    func end()
}

extension Progress {
    /// A stage begins of which no more is known.
    package func begin(_ stage: String, _ phase: Phase? = nil) {
        begin(stage, phase, of: nil)
    }
}
