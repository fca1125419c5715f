import MooringAWS
import MooringModel
import SeededNumbers
import Testing

@Suite struct RetryRuleTests {
    @Test(arguments: [
        Sending.answered(status: 503, code: "SlowDown"), .answered(status: 429, code: nil),
        .answered(status: 400, code: "ThrottlingException"), .unsent,
    ])
    func whatSurelyWasNotDoneIsSentAgainWhateverItIs(_ sending: Sending) {
        #expect(RetryRule.cause(of: sending, isRepeatable: false) != nil)
        #expect(!sending.leavesDoubt)
    }

    @Test(arguments: [
        Sending.answered(status: 500, code: "InternalError"), .answered(status: 502, code: nil),
        .answered(status: 504, code: nil), .answered(status: 503, code: "ServiceUnavailable"),
        .answered(status: 408, code: nil), .answered(status: 400, code: "RequestTimeout"), .lost,
    ])
    func doubtIsSentAgainOnlyWhereThatIsHarmless(_ sending: Sending) {
        #expect(RetryRule.cause(of: sending, isRepeatable: true) != nil)
        #expect(RetryRule.cause(of: sending, isRepeatable: false) == nil)
        #expect(sending.leavesDoubt)
    }

    @Test(arguments: [
        Sending.answered(status: 200, code: nil), .answered(status: 404, code: "NoSuchKey"),
        .answered(status: 403, code: "AccessDenied"), .answered(status: 412, code: nil),
        .answered(status: 301, code: "PermanentRedirect"), .answered(status: 501, code: nil),
        .hopeless(wasSent: false), .hopeless(wasSent: true),
    ])
    func whatWillNotChangeIsNotSentAgain(_ sending: Sending) {
        #expect(RetryRule.cause(of: sending, isRepeatable: true) == nil)
    }

    @Test func onlyRefusalsByNumberSlowDown() {
        #expect(RetryRule.asksToSlowDown(.answered(status: 503, code: nil)))
        #expect(RetryRule.asksToSlowDown(.answered(status: 400, code: "Throttling")))
        #expect(!RetryRule.asksToSlowDown(.answered(status: 500, code: "InternalError")))
        #expect(!RetryRule.asksToSlowDown(.lost))
    }
}

@Suite struct RetryCourseTests {
    private func circumstances(
        _ elapsed: Duration = .zero, asked: Duration? = nil
    ) -> RetryCourse.Circumstances {
        RetryCourse.Circumstances(askedDelay: asked, elapsed: elapsed, random: 0.5)
    }

    @Test func endsAfterTheAttempts() {
        var budget = RetryBudget(repetitions: 100)
        var course = RetryCourse(limits: RetryLimits(), isRepeatable: true)
        var sent = 1
        while case .again = course.next(after: .lost, circumstances(), &budget) { sent += 1 }
        #expect(sent == 8)
    }

    @Test(arguments: [Sending.lost, .unsent])
    func whatGotNoAnswerIsNotSentAgainOnceTheProcessIsToStop(_ sending: Sending) {
        var budget = RetryBudget(repetitions: 100)
        var course = RetryCourse(limits: RetryLimits(), isRepeatable: true)
        var stopping = circumstances()
        stopping.isStopping = true
        #expect(course.next(after: sending, stopping, &budget) == .stop)
        #expect(course.isInDoubt == (sending == .lost))
        // What a service answers goes on: a step that was begun is ended.
        var answered = RetryCourse(limits: RetryLimits(), isRepeatable: true)
        let refusal = Sending.answered(status: 503, code: "SlowDown")
        #expect(answered.next(after: refusal, stopping, &budget) != .stop)
    }

    @Test func endsBeforeTheDeadline() {
        var budget = RetryBudget(repetitions: 100)
        var course = RetryCourse(limits: RetryLimits(), isRepeatable: true)
        #expect(course.next(after: .lost, circumstances(.seconds(301)), &budget) == .stop)
        var slow = RetryCourse(limits: RetryLimits(), isRepeatable: true, isSlow: true)
        #expect(slow.next(after: .lost, circumstances(.seconds(301)), &budget) != .stop)
    }

    @Test func eachCorrectionIsTriedOnce() {
        var budget = RetryBudget(repetitions: 100)
        var course = RetryCourse(limits: RetryLimits(), isRepeatable: false)
        let skew = Sending.answered(status: 403, code: "RequestTimeTooSkewed")
        let expired = Sending.answered(status: 400, code: "ExpiredToken")
        #expect(course.next(after: skew, circumstances(), &budget) == .again(.skew, after: .zero))
        #expect(
            course.next(after: expired, circumstances(), &budget) == .again(.expired, after: .zero))
        #expect(course.next(after: skew, circumstances(), &budget) == .stop)
    }

    @Test func doubtStaysWhateverComesAfterIt() {
        var budget = RetryBudget(repetitions: 100)
        var course = RetryCourse(limits: RetryLimits(), isRepeatable: true)
        _ = course.next(after: .lost, circumstances(), &budget)
        #expect(course.isInDoubt && !course.wasInDoubt)
        _ = course.next(after: .answered(status: 412, code: nil), circumstances(), &budget)
        #expect(course.isInDoubt && course.wasInDoubt)
    }

    @Test func aBrokenServiceIsNotHammered() {
        var budget = RetryBudget(repetitions: 10)
        var sent = 0
        for _ in 0..<1_000 {
            var course = RetryCourse(limits: RetryLimits(), isRepeatable: true)
            sent += 1
            while case .again = course.next(after: .lost, circumstances(), &budget) { sent += 1 }
        }
        #expect(sent == 1_010)
    }

    @Test func successesEarnRepetitions() {
        var budget = RetryBudget(repetitions: 1)
        var spent = [budget.spend(), budget.spend()]
        for _ in 0..<9 { budget.earn() }
        spent.append(budget.spend())
        budget.earn()
        spent.append(budget.spend())
        #expect(spent == [true, false, false, true])
    }

    @Test func waitsAreBounded() {
        let limits = RetryLimits()
        var generator = SeededGenerator("waitsAreBounded")
        for sendings in 1...100 {
            let random = Double.random(in: 0..<1, using: &generator)
            let delay = limits.delay(after: sendings, asked: nil, random: random)
            #expect(delay >= .zero && delay <= limits.longestDelay)
            #expect(delay <= limits.firstDelay * (1 << min(sendings - 1, 30)))
        }
        #expect(limits.delay(after: 1, asked: .seconds(7), random: 0) == .seconds(7))
        #expect(limits.delay(after: 1, asked: .days(1), random: 0) == .seconds(60))
    }
}
