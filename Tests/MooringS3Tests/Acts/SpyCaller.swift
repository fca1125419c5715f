import MooringAWS
import Synchronization

/// What stands between the program and a real server: counts requests, spoils one of them, and
/// lets somebody else write in between.
final class SpyCaller: AWSCaller {
    /// What happens to requests from a number on.
    enum Fault: Hashable, CaseIterable {
        /// The request never arrives; nobody tells.
        case before
        /// It is carried out, and the answer is lost.
        case after
        /// It never arrives, and neither does any other: the process is gone.
        case crash
    }

    private struct Plan {
        var number = 0
        var faultAt: Int?
        var fault = Fault.before
        var rivalAt: Int?
        var rival: (@Sendable () async throws -> Void)?
        var sent: [String] = []
        var pretended: String?
    }

    let inner: any AWSCaller
    // The conditions that this server does as if it did not see, by method.
    private let ignored: [String: Set<String>]
    private let plan = Mutex(Plan())

    init(_ inner: any AWSCaller, ignoring ignored: [String: Set<String>] = [:]) {
        self.inner = inner
        self.ignored = ignored
    }

    var requestCounts: [String: Int] { inner.requestCounts }

    /// Begins to count anew, with a fault at one request or a rival before one, from 0.
    func arm(
        faultAt: Int? = nil, _ fault: Fault = .before, rivalAt: Int? = nil,
        rival: (@Sendable () async throws -> Void)? = nil
    ) {
        plan.withLock {
            $0 = Plan()
            ($0.faultAt, $0.fault, $0.rivalAt, $0.rival) = (faultAt, fault, rivalAt, rival)
        }
    }

    /// From now on, says that calls of this name were done, and does nothing.
    func pretend(_ call: String) {
        plan.withLock {
            $0 = Plan()
            $0.pretended = call
        }
    }

    /// Lets everything through again; returns the calls since `arm`.
    @discardableResult
    func disarm() -> [String] {
        plan.withLock { plan in
            defer { plan = Plan() }
            return plan.sent
        }
    }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        if plan.withLock({ $0.pretended == request.call }) {
            return AWSResponse(status: 204, headers: [], body: [])
        }
        let (fault, rival) = plan.withLock { plan in
            let number = plan.number
            plan.number += 1
            plan.sent.append(request.call)
            let fault: Fault? = plan.faultAt.flatMap {
                number == $0 || (plan.fault == .crash && number > $0) ? plan.fault : nil
            }
            return (fault, number == plan.rivalAt ? plan.rival : nil)
        }
        try await rival?()
        var request = request
        let hidden = ignored[request.method] ?? []
        request.headers.removeAll { hidden.contains($0.name) }
        if fault == .before || fault == .crash { throw Self.lost(request) }
        let response = try await inner.send(request)
        if fault == .after { throw Self.lost(request) }
        return response
    }

    private static func lost(_ request: AWSRequest) -> AWSFailure {
        AWSFailure(
            call: request.call, reason: "no answer in this test",
            mayHaveHappened: !["GET", "HEAD"].contains(request.method))
    }
}
