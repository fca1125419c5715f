import MooringDecisions
import MooringModel

extension Pipeline {
    /// Audits what an engine left of both sides, as if it were all there is.
    func narrowedAudit(
        _ run: RunSummary, by narrowing: any Narrowing, accepting acceptance: Acceptance,
        clock: Duration?
    ) async throws -> Audit {
        let result: Result<Audit, any Error>
        do {
            let narrowed = try await NarrowStage(job: job, narrowing: narrowing).run()
            var pipeline = Pipeline(job: job.over(narrowed, silently: false))
            pipeline.found = found
            result = .success(
                try await pipeline.audit(run, accepting: acceptance, clock: clock))
        } catch let failure as NarrowingFailure {
            result = .failure(
                Refusal(
                    .incomplete, found: "engine \(narrowing.name): \(failure.found)",
                    refused: "any finding of this run", next: failure.next))
        } catch is CancellationError {
            result = .failure(Interrupted())
        } catch {
            result = .failure(error)
        }
        await narrowing.end()
        return try result.get()
    }
}
