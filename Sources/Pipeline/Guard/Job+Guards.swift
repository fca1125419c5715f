import MooringConfiguration
package import MooringDecisions
package import MooringModel

extension Job {
    /// The guards under this job's limits, which name the command that takes an acceptance, and
    /// the run that is to be reviewed.
    package func guards(for command: String, of run: RunID? = nil) -> Guards {
        let taking = ["run", "sweep"].contains(command) ? command : "plan"
        return Guards(
            limits: configuration.limits, clockBound: configuration.race.clockBound,
            words: AcceptingWords(command: "mooring \(taking)", run: run?.text))
    }
}
