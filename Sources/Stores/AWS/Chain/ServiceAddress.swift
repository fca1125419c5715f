import Foundation

/// Where the services are that give credentials: where the environment says, or at their usual
/// hosts.
struct ServiceAddress: Sendable {
    private let context: ChainContext
    private let profile: String?

    /// Addresses as an environment and a profile say; nil is the usual profile.
    init(_ context: ChainContext, profile: String?) {
        self.context = context
        self.profile = profile
    }

    /// The address of a service, whose usual hosts' names begin with `service`; without a region,
    /// `worldwide` where nothing says otherwise. Nil where the one that `variable` or
    /// AWS_ENDPOINT_URL names is neither http nor https; throws `AWSFailure` where it is not of
    /// the kind that was asked for.
    func origin(
        of service: String, variable: String, in region: String?, worldwide: String? = nil
    ) throws -> Origin? {
        let variant = try EndpointVariant(context, profile: profile)
        let ignoresConfigured = context.isTrue("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
        let given = context.value(variable) ?? context.value("AWS_ENDPOINT_URL")
        guard !ignoresConfigured, let given else {
            if region == nil, variant == EndpointVariant(), let worldwide {
                return Origin(host: worldwide)
            }
            return Origin(host: variant.host(of: service, in: region ?? "us-east-1"))
        }
        guard let url = URL(string: given), let host = url.host, !host.isEmpty,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https"
        else { return nil }
        if let refusal = variant.refusal(ofNamed: host) {
            throw AWSFailure(call: "endpoint", reason: refusal, mayHaveHappened: false)
        }
        return Origin(isSecure: scheme == "https", host: host, port: url.port)
    }
}
