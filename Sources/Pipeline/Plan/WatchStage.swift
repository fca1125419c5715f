import MooringDecisions
package import MooringModel

/// The watch: every run gives back what lies in quarantine and is referenced, and takes tags off
/// what is no orphan any more, before anything is planned, and whatever a guard says of removals.
package struct WatchStage {
    private let run: RunID
    private let configuration: String

    /// The watch of a run.
    package init(run: RunID, configuration: String) {
        self.run = run
        self.configuration = configuration
    }

    /// The steps that do so; never saved, since they are carried out at once.
    package func plan(_ audit: Pipeline.Audit, at now: Instant) -> Plan {
        let newest = NewestQuarantined.ofEach(
            audit.quarantine.map { ($0.bucket, $0.object) }, order: audit.order)
        let steps = audit.findings.compactMap { finding -> PlanStep? in
            guard finding.givesBack, let bucket = finding.bucket, let key = finding.key
            else { return nil }
            let held = newest[bucket]?.object(of: [.exact(key)])
            return Planner.step(for: finding, quarantinedBy: held?.run)
        }
        return Plan(
            id: "watch-" + run.text, run: run, configuration: configuration, createdAt: now,
            expiresAt: now, confirmedAt: now, accepted: [:], steps: steps + audit.untagging)
    }
}
