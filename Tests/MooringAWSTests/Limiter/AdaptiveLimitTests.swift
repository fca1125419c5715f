import MooringAWS
import MooringModel
import SeededNumbers
import Testing

@Suite struct AdaptiveLimitTests {
    private func fill(
        _ limit: inout AdaptiveLimit, at now: Duration = .zero
    ) -> [AdaptiveLimit.Ticket] {
        var tickets: [AdaptiveLimit.Ticket] = []
        while let ticket = limit.admit(at: now) { tickets.append(ticket) }
        return tickets
    }

    @Test func admitsAsManyAsAreAllowed() {
        var limit = AdaptiveLimit(most: 16)
        #expect(fill(&limit).count == 16 && limit.inFlight == 16)
        var none = AdaptiveLimit(most: 0)
        #expect(fill(&none).count == 1)
    }

    @Test func thoseRefusedTogetherHalveItOnce() {
        var limit = AdaptiveLimit(most: 32)
        for ticket in fill(&limit) { limit.refuse(ticket, at: .seconds(1), asked: nil) }
        #expect(limit.width == 16 && limit.inFlight == 0)
        for ticket in fill(&limit, at: limit.pauseEnd) {
            limit.refuse(ticket, at: limit.pauseEnd, asked: nil)
        }
        #expect(limit.width == 8)
    }

    @Test func halvesWhatIsInFlightNotWhatWouldBeAllowed() {
        var limit = AdaptiveLimit(most: 64)
        let few = [limit.admit(at: .zero), limit.admit(at: .zero)].compactMap { $0 }
        limit.refuse(few[0], at: .zero, asked: nil)
        #expect(limit.width == 1)
    }

    @Test func pausesLongerEachTimeAndAsLongAsAsked() {
        var limit = AdaptiveLimit(most: 4)
        var (now, pauses) = (Duration.zero, [Duration]())
        for _ in 0..<12 {
            guard let ticket = limit.admit(at: now) else { break }
            limit.refuse(ticket, at: now, asked: nil)
            pauses.append(limit.pauseEnd - now)
            #expect(limit.admit(at: now) == nil)
            now = limit.pauseEnd
        }
        #expect(pauses.first == .milliseconds(50) && pauses.last == .seconds(5))
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
        guard let ticket = limit.admit(at: now) else {
            Issue.record("no ticket after the pause")
            return
        }
        limit.refuse(ticket, at: now, asked: .days(1))
        #expect(limit.pauseEnd - now == .seconds(60))
    }

    @Test func recoversByOneARound() {
        var limit = AdaptiveLimit(most: 8)
        let first = fill(&limit)
        for ticket in first { limit.refuse(ticket, at: .zero, asked: nil) }
        var widths = [limit.width]
        for _ in 0..<40 {
            for ticket in fill(&limit, at: .hours(1)) { limit.settle(ticket) }
            widths.append(limit.width)
        }
        #expect(widths.first == 4 && widths.last == 8)
        #expect(zip(widths, widths.dropFirst()).allSatisfy { $1 - $0 <= 1 && $1 >= $0 })
    }

    @Test func successesFromBeforeTheDecreaseDoNotWidenIt() {
        var limit = AdaptiveLimit(most: 8)
        let tickets = fill(&limit)
        limit.refuse(tickets[0], at: .zero, asked: nil)
        for ticket in tickets.dropFirst() { limit.settle(ticket) }
        #expect(limit.width == 4)
    }

    /// Whatever happens, it stays within its bounds and counts right.
    @Test func staysWithinItsBounds() {
        var generator = SeededGenerator("staysWithinItsBounds")
        for _ in 0..<200 {
            let most = Int.random(in: 1...64, using: &generator)
            var limit = AdaptiveLimit(most: most)
            var (out, now) = ([AdaptiveLimit.Ticket](), Duration.zero)
            for _ in 0..<300 {
                now += .milliseconds(Int64.random(in: 0...20, using: &generator))
                if let ticket = limit.admit(at: now) { out.append(ticket) }
                if !out.isEmpty, Bool.random(using: &generator) {
                    let ticket = out.remove(at: Int.random(in: 0..<out.count, using: &generator))
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0: limit.refuse(ticket, at: now, asked: nil)
                    case 1: limit.abandon(ticket)
                    default: limit.settle(ticket)
                    }
                }
                #expect(limit.inFlight == out.count && limit.inFlight <= most)
                #expect(limit.width >= 1 && limit.width <= most)
                #expect(limit.pauseEnd <= now + .seconds(5))
            }
        }
    }
}
