/// How one sending of a request ended.
package enum Sending: Hashable, Sendable {
    /// The service answered; its code where the body has one, such as `SlowDown`.
    case answered(status: Int, code: String?)
    /// Nothing of the request left this machine.
    case unsent
    /// The request left, and no whole answer came back: it may have been carried out.
    case lost
    /// It failed in a way that the next sending will not change.
    case hopeless(wasSent: Bool)

    /// Whether no answer came.
    package var isUnanswered: Bool { if case .answered = self { false } else { true } }

    /// Whether the service may have done, or may yet do, what was asked.
    package var leavesDoubt: Bool {
        switch self {
        case .answered(let status, let code):
            if RetryRule.slowDownCodes.contains(code ?? "") { return false }
            return status >= 500 && status != 501 || status == 408 || code == "RequestTimeout"
        case .unsent: return false
        case .lost: return true
        case .hopeless(let wasSent): return wasSent
        }
    }
}

/// Why a request is sent again.
package enum RetryCause: Hashable, Sendable {
    /// The service asked to slow down.
    case slowDown
    /// The service failed, or no answer came.
    case failure
    /// The service refused the time of the signature.
    case skew
    /// The service refused credentials that have ended.
    case expired
}

/// Which requests are sent again after which endings.
package enum RetryRule {
    /// Codes of refusals that ask for fewer requests: nothing was done.
    package static let slowDownCodes: Set<String> = [
        "SlowDown", "Throttling", "ThrottlingException", "ThrottledException",
        "RequestThrottled", "RequestThrottledException", "TooManyRequestsException",
        "RequestLimitExceeded", "BandwidthLimitExceeded", "LimitExceededException",
        "PriorRequestNotComplete", "ProvisionedThroughputExceededException",
    ]
    private static let failureCodes: Set<String> = [
        "InternalError", "InternalServerError", "InternalFailure", "ServiceUnavailable",
        "RequestTimeout", "RequestTimeoutException",
    ]
    private static let skewCodes: Set<String> = [
        "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture",
    ]
    private static let expiredCodes: Set<String> = [
        "ExpiredToken", "ExpiredTokenException", "TokenRefreshRequired",
    ]

    /// Whether a service asks for fewer requests.
    package static func asksToSlowDown(_ sending: Sending) -> Bool {
        guard case .answered(let status, let code) = sending else { return false }
        return status == 503 || status == 429 || code.map(slowDownCodes.contains) ?? false
    }

    /// Why a request is sent again; nil when it is not. What surely was not carried out is sent
    /// again whatever it is, the rest only when that is harmless.
    package static func cause(of sending: Sending, isRepeatable: Bool) -> RetryCause? {
        switch sending {
        case .hopeless: return nil
        case .unsent: return .failure
        case .lost: return isRepeatable ? .failure : nil
        case .answered(let status, let code):
            let code = code ?? ""
            if status == 429 || slowDownCodes.contains(code) { return .slowDown }
            if skewCodes.contains(code) { return .skew }
            if expiredCodes.contains(code) { return .expired }
            guard isRepeatable else { return nil }
            if status == 503 { return .slowDown }
            let isFailure =
                [500, 502, 504, 408].contains(status) || failureCodes.contains(code)
            return isFailure ? .failure : nil
        }
    }
}
