@testable import MooringAWS
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(15))) struct RequestLimiterTests {
    private final class Log: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    private final class Gauge: Sendable {
        let counts = Mutex((count: 0, most: 0))
    }

    /// Waits until so many stand in line.
    private func line(_ count: Int, before limiter: RequestLimiter) async throws {
        while limiter.waitingCount < count { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func whoComesFirstGoesFirst() async throws {
        let limiter = RequestLimiter(most: 1)
        let first = try await limiter.enter()
        let order = Log()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let ticket = try await limiter.enter()
                    order.numbers.withLock { $0.append(number) }
                    limiter.leave(ticket, .settled)
                }
                try await line(number + 1, before: limiter)
            }
            limiter.leave(first, .settled)
            try await group.waitForAll()
        }
        #expect(order.numbers.withLock { $0 } == Array(0..<8))
    }

    @Test func neverLetsMoreGoThanItsWidth() async throws {
        let limiter = RequestLimiter(most: 5)
        let now = Gauge()
        _ = try await together(200) { number in
            let ticket = try await limiter.enter()
            now.counts.withLock { ($0.count, $0.most) = ($0.count + 1, max($0.most, $0.count + 1)) }
            await Task.yield()
            now.counts.withLock { $0.count -= 1 }
            limiter.leave(ticket, number % 7 == 0 ? .refused(nil) : .settled)
        }
        #expect(now.counts.withLock { $0.most } <= 5)
        #expect(limiter.widths.mostInFlight <= 5)
    }

    @Test func oneWhoWaitsCanBeCancelled() async throws {
        let limiter = RequestLimiter(most: 1)
        let held = try await limiter.enter()
        let task = Task { try await limiter.enter() }
        try await line(1, before: limiter)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        limiter.leave(held, .settled)
        // The turn of the one who left is not lost.
        limiter.leave(try await limiter.enter(), .settled)
    }

    @Test func cancellationAtAnyMomentLosesNoTurn() async throws {
        let limiter = RequestLimiter(most: 2)
        for round in 0..<200 {
            let tasks = (0..<6).map { _ in
                Task {
                    let ticket = try await limiter.enter()
                    await Task.yield()
                    limiter.leave(ticket, .settled)
                }
            }
            for task in tasks[..<(round % 6)] { task.cancel() }
            for task in tasks { _ = await task.result }
        }
        let tickets = [try await limiter.enter(), try await limiter.enter()]
        for ticket in tickets { limiter.leave(ticket, .settled) }
    }

    @Test func aPauseEndsByItself() async throws {
        let limiter = RequestLimiter(most: 4)
        limiter.leave(try await limiter.enter(), .refused(.milliseconds(200)))
        let start = ContinuousClock.now
        limiter.leave(try await limiter.enter(), .settled)
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    @Test func shutDownTurnsEverybodyAway() async throws {
        let limiter = RequestLimiter(most: 1)
        _ = try await limiter.enter()
        let task = Task { try await limiter.enter() }
        try await line(1, before: limiter)
        limiter.shutDown()
        await #expect(throws: RequestLimiter.ShutDown.self) { try await task.value }
        await #expect(throws: RequestLimiter.ShutDown.self) { try await limiter.enter() }
    }
}
