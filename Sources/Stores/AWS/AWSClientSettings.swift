/// How a client travels, and how long it tries; every part has a default.
package struct AWSClientSettings: Sendable {
    /// How long one sending may take.
    package var times = TimeLimits()
    /// How often, and how long, a call is sent again.
    package var retries = RetryLimits()
    /// Authorities that are trusted beside the system's; none. Nothing turns verification off.
    package var trust: TrustBundle?
    /// Proxies; none.
    package var proxies = ProxySettings.none
    /// From 0 to 1, what makes the waits of many clients unlike.
    package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// Whether the process was asked to stop.
    package var isStopping: @Sendable () -> Bool = { StopRequest.isMade }

    /// The defaults.
    package init() {}

    /// The defaults, with the proxies and the authorities that the environment and the
    /// configuration name. Throws `AWSFailure` where one of these names cannot be used.
    package init(environment: [String: String], caBundle: String? = nil) throws {
        proxies = try ProxySettings(environment: environment)
        trust = try TrustBundle.chosen(caBundle, environment: environment)
    }
}
