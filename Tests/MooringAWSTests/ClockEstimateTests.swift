import MooringAWS
import MooringModel
import SeededNumbers
import Testing

@Suite struct ClockEstimateTests {
    @Test func readsTheDateOfHTTP() {
        #expect(
            HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT")
                == Instant(iso8601: "1994-11-06T08:49:37Z"))
        #expect(
            HTTPDate.parse("Thu, 29 Feb 2024 23:59:59 GMT")
                == Instant(iso8601: "2024-02-29T23:59:59Z"))
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37 UTC", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Xxx 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT ",
    ])
    func takesNoOtherForm(_ text: String) { #expect(HTTPDate.parse(text) == nil) }

    @Test func readsRetryAfter() {
        let now = Instant(seconds: 784_111_777)
        #expect(RetryAfter.delay("12", now: now) == .seconds(12))
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:40 GMT", now: now) == .seconds(3))
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:49:30 GMT", now: now) == .zero)
        #expect(RetryAfter.delay("-1", now: now) == nil)
        #expect(RetryAfter.delay("soon", now: now) == nil)
    }

    @Test func isNeverBetterThanItsResolution() {
        var estimate = ClockEstimate()
        #expect(estimate.difference == nil)
        let moment = Instant(nanoseconds: 1_000_000_000_500_000_000)
        estimate.observe(
            date: Instant(seconds: 1_000_000_000), sentAt: moment, receivedAt: moment)
        #expect(estimate.difference == .seconds(1))
    }

    @Test func startsAnewWhenAClockWasSet() {
        var estimate = ClockEstimate()
        let moment = Instant(seconds: 1_000)
        estimate.observe(date: moment, sentAt: moment, receivedAt: moment)
        estimate.observe(date: moment + .seconds(90), sentAt: moment, receivedAt: moment)
        #expect(estimate.difference == .seconds(91))
    }

    /// Whatever the clocks and the network do, the true difference is never above the estimate.
    @Test func holdsTheTrueDifference() {
        var generator = SeededGenerator("holdsTheTrueDifference")
        for _ in 0..<500 {
            let truth = Duration.milliseconds(
                Int64.random(in: -400_000...400_000, using: &generator))
            var estimate = ClockEstimate()
            var now = Instant(
                nanoseconds: Int64.random(in: 0...1_000_000_000_000, using: &generator))
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let there = Duration.milliseconds(Int64.random(in: 0...3_000, using: &generator))
                let back = Duration.milliseconds(Int64.random(in: 0...3_000, using: &generator))
                let theirs = now + there + truth
                let second = theirs - .nanoseconds(theirs.nanosecondOfSecond)
                estimate.observe(date: second, sentAt: now, receivedAt: now + there + back)
                now = now + there + back
            }
            let found = estimate.difference ?? .zero
            #expect(found >= (truth < .zero ? .zero - truth : truth) && found >= .seconds(1))
            #expect(estimate.interval?.contains(truth) == true)
        }
    }
}
