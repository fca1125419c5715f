package import MooringModel

/// A point at which a workflow may have stopped, with what it left there.
package struct CrashPoint: Hashable, Sendable {
    /// The workflow's name.
    package let workflow: String
    /// The last step that was done.
    package let step: String
    /// Who leaves it.
    package let maker: Residue.Maker

    /// A crash point.
    package init(workflow: String, step: String, maker: Residue.Maker) {
        self.workflow = workflow
        self.step = step
        self.maker = maker
    }
}

/// A step that may still come where a workflow stands at a crash point, and that ends the
/// difference.
///
/// What would remove an orphan is none: who removes it first does the same, so nobody waits for it.
package struct PendingStep: Hashable, Sendable {
    /// The workflow's name.
    package let workflow: String
    /// The name of the step that may still come.
    package let step: String
    /// The windows that pass, one after the other, until it can come no more.
    package let windows: [Window]
    /// Who leaves the state in which it is awaited.
    package let maker: Residue.Maker

    private let uploads, stales, multiparts: Int
    // Whether what it writes is the copy whose age S bounds.
    private let writesOldCopy: Bool

    fileprivate init(
        workflow: String, step: WorkflowStep, windows: [Window], maker: Residue.Maker
    ) {
        self.workflow = workflow
        self.step = step.name
        self.windows = windows
        self.maker = maker
        writesOldCopy = step.act == .setFromCopy && windows.contains(.stale)
        uploads = windows.count { $0 == .upload }
        stales = windows.count { $0 == .stale }
        multiparts = windows.count { $0 == .multipart }
    }

    /// How long it may take to come, counted from an orphan's effective birth or from the
    /// effective change of a dangling reference's record: its windows and C; nil when no store
    /// takes the copy that it would write back.
    package func wait(under race: RaceModel) -> Duration? {
        if writesOldCopy, race.staleWindow == .zero { return nil }
        var wait = race.clock
        for _ in 0..<uploads { wait += race.uploadWindow }
        for _ in 0..<stales { wait += race.staleWindow }
        for _ in 0..<multiparts { wait += race.multipartWindow }
        return wait
    }

    /// Whether both wait alike, whatever the bounds are.
    fileprivate func waitsLike(_ other: PendingStep) -> Bool {
        (uploads, stales, multiparts, writesOldCopy)
            == (other.uploads, other.stales, other.multiparts, other.writesOldCopy)
    }
}

extension WorkflowCatalogue {
    /// The steps that may still come to a difference in this state, those that fit it most
    /// closely first; of a field whose shape is not known, the steps of all shapes.
    package static func pending(
        in state: DifferenceState, shape: FieldShape? = nil
    ) -> [PendingStep] {
        pendingByState[place(of: shape)][state.rawValue]
    }

    /// Of the pending steps that wait alike, the one that fits most closely; a few steps that tell
    /// as much about times as all of them.
    package static func closestPending(
        in state: DifferenceState, shape: FieldShape? = nil
    ) -> [PendingStep] {
        closestByState[place(of: shape)][state.rawValue]
    }

    /// The points at which workflows leave a difference in this state that is called so, without
    /// the ones that need a rival where there are others: first what workflows leave that ran to
    /// their end, then what a crash leaves.
    package static func crashPoints(
        leaving state: DifferenceState, _ cause: FindingCause, shape: FieldShape? = nil
    ) -> [CrashPoint] {
        pointsByDifference[Difference(state: state, cause: cause, shape: shape)] ?? []
    }

    private struct Difference: Hashable {
        let state: DifferenceState
        let cause: FindingCause
        let shape: FieldShape?
    }

    // A judgement looks here a million times, so these lists are made once, and so are those below.
    private static let pointsByDifference: [Difference: [CrashPoint]] = {
        var all: [Difference: [CrashPoint]] = [:]
        for shape in FieldShape.allCases + [nil] {
            for workflow in workflows(on: shape) {
                for step in workflow.steps {
                    for left in step.leaves {
                        let difference = Difference(
                            state: left.state, cause: left.cause, shape: shape)
                        all[difference, default: []].append(
                            CrashPoint(
                                workflow: workflow.name, step: step.name, maker: left.maker))
                    }
                }
            }
        }
        return all.mapValues { points in
            let own =
                points.filter { $0.maker == .itself } + points.filter { $0.maker == .crash }
            return own.isEmpty ? points : own
        }
    }()

    // The last row is that of fields whose shape is not known.
    private static let pendingByState: [[[PendingStep]]] =
        (FieldShape.allCases + [nil]).map { shape in
            DifferenceState.allCases.map { state in
                let steps = workflows(on: shape).flatMap { $0.pending(in: state) }
                // What a device's own crash leaves fits more closely than what needs a rival too.
                return steps.filter { $0.maker != .rival } + steps.filter { $0.maker == .rival }
            }
        }

    private static let closestByState: [[[PendingStep]]] = pendingByState.map { states in
        states.map { steps in
            steps.enumerated().filter { index, step in
                !steps[..<index].contains { $0.waitsLike(step) }
            }.map(\.element)
        }
    }

    private static func place(of shape: FieldShape?) -> Int {
        shape?.rawValue ?? FieldShape.allCases.count
    }

    private static func workflows(on shape: FieldShape?) -> [Workflow] {
        guard let shape else { return all }
        return all.filter { $0.shapes.contains(shape) }
    }
}

extension Workflow {
    /// The steps of this workflow that may still come to a difference in a state, each once.
    func pending(in state: DifferenceState) -> [PendingStep] {
        var found: [PendingStep] = []
        for (index, step) in steps.enumerated() {
            guard let residue = step.leaves.first(where: { $0.state == state }),
                let next = steps[(index + 1)...].firstIndex(where: { $0.act.mayEnd(state) }),
                !found.contains(where: { $0.step == steps[next].name })
            else { continue }
            found.append(
                PendingStep(
                    workflow: name, step: steps[next],
                    windows: windows(from: index, to: next, in: state), maker: residue.maker))
        }
        return found
    }

    // An orphan's time runs from the moment at which its object became visible, and the windows
    // are those from there on; a workflow that begins with a record that held the key has the
    // association behind it, which took U at most. A dangling reference's time runs from the
    // record's change, with which the whole workflow may have begun.
    private func windows(from index: Int, to next: Int, in state: DifferenceState) -> [Window] {
        guard state != .objectIsAbsent else { return steps[..<next].compactMap(\.opens) }
        return (beginsReferenced ? [.upload] : []) + steps[index..<next].compactMap(\.opens)
    }
}

extension DeviceAct {
    fileprivate func mayEnd(_ state: DifferenceState) -> Bool {
        state == .objectIsAbsent ? mayRelease : mayReference
    }
}
