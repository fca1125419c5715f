package import MooringModel
import NIOHTTP1
import Synchronization

/// Sends signed calls to one service: over a bounded number of connections, again where that is
/// harmless, and slower where the service asks for it.
///
/// What it promises of a write: one that is not repeatable is carried out at most once, and a
/// failure says whether it may have been. It does not promise an end to what a service began.
package final class AWSClient: AWSCaller {
    private struct Shared {
        var clockEstimate = ClockEstimate()
        // What is added to this machine's time for signatures, once a service refused it.
        var correction = Duration.zero
        var traffic: RequestTraffic
        var budget: RetryBudget
        var signers: [String: Signer] = [:]
        // Whether a call got no answer since the process was asked to stop.
        var isSilent = false
    }

    private let transport: HTTPTransport
    private let limiter: RequestLimiter
    private let scheme: AuthorizationScheme
    private let credentials: any CredentialSource
    private let settings: AWSClientSettings
    private let clock: @Sendable () -> Instant
    private let shared: Mutex<Shared>

    /// A client; `connections` is the most requests that are in flight at a time, and the most
    /// connections that are open to a host.
    package convenience init(
        signer: Signer, credentials: any CredentialSource, connections: Int,
        settings: AWSClientSettings = AWSClientSettings(), clock: @escaping @Sendable () -> Instant
    ) {
        self.init(
            scheme: .signature(signer), credentials: credentials, connections: connections,
            settings: settings, clock: clock)
    }

    /// A client that says who asks in another way.
    package init(
        scheme: AuthorizationScheme, credentials: any CredentialSource, connections: Int,
        settings: AWSClientSettings = AWSClientSettings(), clock: @escaping @Sendable () -> Instant
    ) {
        self.scheme = scheme
        self.credentials = credentials
        self.settings = settings
        self.clock = clock
        transport = HTTPTransport(
            connections: connections, limits: settings.times, trust: settings.trust,
            proxies: settings.proxies)
        limiter = RequestLimiter(most: connections)
        shared = Mutex(
            Shared(
                traffic: RequestTraffic(allowed: connections),
                budget: RetryBudget(repetitions: settings.retries.budget)))
    }

    /// Ends everything under way and every connection; waits for nothing. Calls fail from now on.
    package func shutdown() {
        limiter.shutDown()
        transport.shutDown()
    }

    /// How many requests were sent so far, by the names of their calls.
    package var requestCounts: [String: Int] { shared.withLock { $0.traffic.calls } }
    /// What was sent and received so far.
    package var traffic: RequestTraffic { shared.withLock { $0.traffic } }
    /// The most that the service's clock can differ from this machine's, at least 1 s; nil before
    /// the first answer.
    package var clockDifference: Duration? { shared.withLock { $0.clockEstimate.difference } }
    /// How many requests may be in flight now, and the most that ever were.
    package var widths: (now: Int, mostInFlight: Int) { limiter.widths }

    /// Sends a call. Throws `AWSFailure` when no answer came, and `CancellationError`, after which
    /// a write may have been carried out too.
    package func send(_ request: AWSRequest) async throws -> AWSResponse {
        let start = ContinuousClock.now
        var course = RetryCourse(
            limits: settings.retries, isRepeatable: request.isRepeatable, isSlow: request.isSlow)
        while true {
            let used = try await credentials.credentials()
            let exchange = try await sendOnce(request, used, isRepetition: course.sendings > 0)
            var circumstances = RetryCourse.Circumstances(
                askedDelay: exchange.askedDelay, elapsed: ContinuousClock.now - start,
                random: settings.random())
            circumstances.isStopping = settings.isStopping()
            let step = shared.withLock { [circumstances] shared in
                if circumstances.isStopping, exchange.sending.isUnanswered {
                    shared.isSilent = true
                }
                return course.next(after: exchange.sending, circumstances, &shared.budget)
            }
            guard case .again(let cause, let delay) = step else {
                return try finish(exchange, request, course)
            }
            if cause == .expired { await credentials.wereRefused(used) }
            if cause == .skew { correctTime(by: exchange) }
            if delay > .zero { try await Task.sleep(for: delay) }
        }
    }

    /// One sending and what came of it.
    private struct Exchange {
        let sending: Sending
        var answer: HTTPAnswer?
        var failure: TransportFailure?
        var date: Instant?
        var askedDelay: Duration?
    }

    private func sendOnce(
        _ request: AWSRequest, _ used: Credentials, isRepetition: Bool
    ) async throws -> Exchange {
        let ticket: AdaptiveLimit.Ticket
        do {
            ticket = try await limiter.enter()
        } catch is RequestLimiter.ShutDown {
            throw AWSFailure(
                call: request.call, reason: "the client was shut down", mayHaveHappened: false)
        }
        // Every other call would wait as long for nothing, and hold the process up.
        if shared.withLock(\.isSilent) {
            limiter.leave(ticket, .abandoned)
            throw AWSFailure(
                call: request.call,
                reason: "it was not sent: the process is to stop, and the service gave no answer "
                    + "since",
                mayHaveHappened: false)
        }
        let began = ContinuousClock.now
        defer { shared.withLock { $0.traffic.countTime(from: began, to: .now) } }
        let (own, sentAt) = prepare(request, isRepetition)
        let headers = own.scheme.headers(of: request, with: used, at: sentAt + own.correction)
        let collector = ResponseCollector(
            method: request.method, bodyLimit: request.bodyLimit, clock: clock)
        do {
            let answer = try await transport.send(request, headers: headers, collector)
            let exchange = read(answer, to: request, sentAt: sentAt)
            limiter.leave(
                ticket,
                RetryRule.asksToSlowDown(exchange.sending)
                    ? .refused(exchange.askedDelay) : .settled)
            return exchange
        } catch let failure as TransportFailure {
            limiter.leave(ticket, .abandoned)
            return Exchange(sending: failure.sending, failure: failure)
        } catch {
            limiter.leave(ticket, .abandoned)
            throw error
        }
    }

    private func prepare(
        _ request: AWSRequest, _ isRepetition: Bool
    ) -> (own: (scheme: AuthorizationScheme, correction: Duration), sentAt: Instant) {
        let signing = shared.withLock { shared in
            shared.traffic.countSending(
                request.call, method: request.method, isRepetition: isRepetition)
            guard case .signature(let signer) = scheme, let region = request.region,
                region != signer.region
            else { return (scheme, shared.correction) }
            let other = shared.signers[region] ?? signer.moved(to: region)
            shared.signers[region] = other
            return (.signature(other), shared.correction)
        }
        return (signing, clock())
    }

    private func read(
        _ answer: HTTPAnswer, to request: AWSRequest, sentAt: Instant
    ) -> Exchange {
        var status = answer.status
        var code: String?
        if status >= 300 {
            code = ErrorCode.find(in: answer.body)
        } else if request.method != "GET", request.method != "HEAD",
            ErrorCode.isError(answer.body)
        {
            code = ErrorCode.find(in: answer.body)
            status = ErrorCode.status(of: code ?? "")
        }
        if status == 401, scheme.isShown {
            // Nothing was done: a key or token that has ended is fetched anew, once.
            code = "ExpiredToken"
        }
        let date = answer.headers.first(name: "date").flatMap { HTTPDate.parse($0) }
        if status == 403, request.method == "HEAD", isFarOff(date, answer.receivedAt) {
            // An answer to HEAD has no body that could say so.
            code = "RequestTimeTooSkewed"
        }
        var exchange = Exchange(
            sending: .answered(status: status, code: code), answer: answer, date: date)
        let asksToSlowDown = RetryRule.asksToSlowDown(exchange.sending)
        if status >= 400 {
            exchange.askedDelay = answer.headers.first(name: "retry-after").flatMap {
                RetryAfter.delay($0, now: answer.receivedAt)
            }
        }
        shared.withLock { shared in
            shared.traffic.countAnswer(
                bytes: answer.body.count, asksToSlowDown: asksToSlowDown)
            guard let date = exchange.date else { return }
            shared.clockEstimate.observe(
                date: date, sentAt: sentAt, receivedAt: answer.receivedAt)
        }
        return exchange
    }

    // Services bear a quarter of an hour; a corrected time is not to blame for a refusal.
    private func isFarOff(_ date: Instant?, _ receivedAt: Instant) -> Bool {
        guard let date, shared.withLock({ $0.correction == .zero }) else { return false }
        return max(date - receivedAt, receivedAt - date) > .minutes(10)
    }

    // A service that refuses a signature's time says its own in the same answer.
    private func correctTime(by exchange: Exchange) {
        guard let date = exchange.date, let answer = exchange.answer else { return }
        shared.withLock { $0.correction = date - answer.receivedAt }
    }

    private func finish(
        _ exchange: Exchange, _ request: AWSRequest, _ course: RetryCourse
    ) throws -> AWSResponse {
        let isWrite = request.method != "GET" && request.method != "HEAD"
        if let answer = exchange.answer, case .answered(let status, _) = exchange.sending {
            return AWSResponse(
                status: status,
                headers: answer.headers.map { (HeaderName.small($0.name), $0.value) },
                body: answer.body, followsDoubt: isWrite && course.wasInDoubt)
        }
        let times = course.sendings > 1 ? " (tried \(course.sendings) times)" : ""
        throw AWSFailure(
            call: request.call, reason: (exchange.failure?.reason ?? "no answer") + times,
            hint: exchange.failure?.hint, mayHaveHappened: isWrite && course.isInDoubt)
    }
}

/// Names of headers, which come in any case.
enum HeaderName {
    /// A name in small letters; one that is so already is not copied.
    static func small(_ name: String) -> String {
        name.utf8.contains { (0x41...0x5A).contains($0) } ? name.lowercased() : name
    }
}
