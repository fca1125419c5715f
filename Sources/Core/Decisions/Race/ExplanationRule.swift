package import MooringModel

/// A difference with the moment from which its windows run.
package struct Difference: Hashable, Sendable {
    /// What the judge sees.
    package let state: DifferenceState
    /// The shape of the field that holds, or would hold, the key; nil when it is not known.
    package let shape: FieldShape?
    /// An orphan's effective birth; of a dangling reference its record's effective change.
    package let since: Instant

    /// A difference.
    package init(_ state: DifferenceState, shape: FieldShape? = nil, since: Instant) {
        self.state = state
        self.shape = shape
        self.since = since
    }
}

/// Says which workflows can still end a difference, and until when.
package enum ExplanationRule {
    /// The workflow and step that fit a difference most closely among those that may still come
    /// at this moment, and when the last of all of them can come no more; nil when none can.
    package static func explanation(
        of difference: Difference, under race: RaceModel, at now: Instant
    ) -> Explanation? {
        var closest: PendingStep?
        var last = now
        let steps = WorkflowCatalogue.closestPending(
            in: difference.state, shape: difference.shape)
        for step in steps {
            guard let wait = step.wait(under: race) else { continue }
            let end = difference.since + wait
            guard end > now else { continue }
            closest = closest ?? step
            last = max(last, end)
        }
        return closest.map { Explanation(workflow: $0.workflow, step: $0.step, until: last) }
    }

    /// Every workflow and step that may still come at this moment, each with its own end, those
    /// that fit most closely first.
    package static func explanations(
        of difference: Difference, under race: RaceModel, at now: Instant
    ) -> [Explanation] {
        WorkflowCatalogue.pending(in: difference.state, shape: difference.shape).compactMap {
            guard let wait = $0.wait(under: race), difference.since + wait > now else {
                return nil
            }
            return Explanation(
                workflow: $0.workflow, step: $0.step, until: difference.since + wait)
        }
    }
}
