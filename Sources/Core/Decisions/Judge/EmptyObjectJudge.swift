package import MooringModel

/// Judges objects that records reference and that hold no byte. Pure, as `OrphanJudge`.
package struct EmptyObjectJudge: Sendable {
    private let race: RaceModel
    private let now: Instant

    /// A judge under a race model, at the moment when the objects were listed.
    package init(race: RaceModel, now: Instant) {
        self.race = race
        self.now = now
    }

    /// What is said of one of them: within the windows a device may still write it again.
    package func finding(_ facts: ReferencedFacts) -> Finding {
        var finding = facts.finding(.emptyObject)
        finding.record = facts.places.first
        finding.evidence = ["it is referenced and zero bytes long"]
        let until = facts.object.version.lastModified + race.grace
        if until > now {
            finding.verdict = .explained
            finding.explanation = Explanation(
                workflow: WorkflowCatalogue.sameKeyAgain.name,
                step: WorkflowCatalogue.sameKeyAgain.steps[0].name, until: until)
        }
        return finding
    }
}
