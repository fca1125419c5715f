import Glibc
import MooringModel
import MooringPipeline
import MooringSimulation

/// Runs simulations seed after seed, for a number of seeds or of seconds.
struct Soak {
    /// The protocol of the auditor.
    let audit: AuditProtocol
    /// How large each simulation is.
    let size: SimulationSize
    /// The first seed.
    let first: UInt64
    /// How many seeds at most.
    let count: Int
    /// How long at most; nil without a bound.
    let seconds: Int?
    /// Whether one JSON document is printed instead.
    let json: Bool

    /// Runs the seeds and prints what came of them; the first that fails is told at once, and
    /// ends the run. Whether none failed.
    func run(traces: Bool) throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        let progress: any MooringPipeline.Progress =
            isatty(2) == 1 ? TerminalProgress() : QuietProgress()
        progress.begin("seeds")
        defer { progress.end() }
        var (steps, runs, done) = (0, 0, 0)
        while done < count, !isOver(clock.now - start) {
            let simulation = SeededSimulation(
                seed: first &+ UInt64(done), audit: audit, size: size)
            let result = simulation.run()
            steps += result.steps
            runs += result.runs
            done += 1
            progress.advance(1)
            if let violation = result.violation {
                progress.end()
                if json { document(done, runs, steps, (simulation, violation)) }
                if !json { tell(simulation, violation, traces: traces) }
                return false
            }
        }
        if json {
            document(done, runs, steps, nil)
            return true
        }
        let elapsed = max((clock.now - start) / .seconds(1), 0.000_001)
        let rate = Int(Double(steps) / elapsed)
        StandardOutput.line(
            "\(audit.name): \(done) seeds from \(first), \(runs) runs, \(steps) steps "
                + "(\(rate) a second): every promise kept")
        return true
    }

    private func document(
        _ seeds: Int, _ runs: Int, _ steps: Int, _ breach: (SeededSimulation, Violation)?
    ) {
        let violation = breach.map { simulation, violation in
            JSONValue.members([
                "seed": .string(String(simulation.seed)), "word": .string(violation.word),
                "detail": .string(
                    Narrator(simulation.world, simulation.setting).describe(violation)),
            ])
        }
        StandardOutput.document(
            .members([
                "protocol": .string(audit.name), "firstSeed": .string(String(first)),
                "seeds": .whole(seeds), "runs": .whole(runs), "steps": .whole(steps),
                "violation": violation ?? .null,
            ]))
    }

    private func isOver(_ elapsed: Duration) -> Bool {
        guard let seconds else { return false }
        return elapsed >= .seconds(seconds)
    }

    private func tell(
        _ simulation: SeededSimulation, _ violation: Violation, traces: Bool
    ) {
        let narrator = Narrator(simulation.world, simulation.setting)
        StandardOutput.line("seed \(simulation.seed): " + narrator.describe(violation))
        StandardOutput.line(
            "replay: mooring simulate --seed \(simulation.seed) --protocol \(audit.name)"
                + " --devices \(size.devices) --records \(size.records) --runs \(size.runs)"
                + " --trace")
        guard traces, let choices = simulation.failingTrace() else { return }
        for line in narrator.tell(choices) { StandardOutput.line(line) }
    }
}
