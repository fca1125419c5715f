import MooringAWS
import MooringConfiguration

/// Where a service of AWS answers: where the configuration says, else the variables of the usual
/// chain (`AWS_ENDPOINT_URL_SERVICE` before `AWS_ENDPOINT_URL`), else at AWS's own hosts.
struct EndpointChoice {
    /// What messages begin with: `bucket 'media'`.
    let subject: String
    /// The configuration's file, for messages.
    let file: String
    /// The process's environment.
    let environment: [String: String]

    /// The endpoint that somebody names; nil for AWS's own. Throws `ConfigurationError` where a
    /// variable holds no URL of scheme, host and port; what it holds is not repeated.
    func named(
        _ given: S3Settings.Endpoint?, service: String
    ) throws(ConfigurationError) -> S3Settings.Endpoint? {
        if let given { return given }
        guard let variable = variable(service: service), let text = environment[variable]
        else { return nil }
        guard let endpoint = S3Settings.Endpoint(url: text) else {
            throw ConfigurationError(
                file: file,
                "\(variable) needs a URL such as https://storage.example.com:9000, without a path, "
                    + "a user or a query")
        }
        return endpoint
    }

    /// The variable that names the endpoint where the configuration names none; nil without one.
    func variable(service: String) -> String? {
        guard environment["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] != "true" else { return nil }
        return ["AWS_ENDPOINT_URL_\(service.uppercased())", "AWS_ENDPOINT_URL"]
            .first { environment[$0].map { !$0.isEmpty } ?? false }
    }

    /// Whether requests go to AWS itself: what nobody names is AWS, and a named host may be one of
    /// its own too.
    func isAWS(_ given: S3Settings.Endpoint?, service: String) -> Bool {
        // Swallowed: no store is made where a variable names no endpoint.
        guard let named = try? named(given, service: service) else { return true }
        return Partition.all.contains { named.host.lowercased().hasSuffix("." + $0.suffix) }
    }

    /// Where requests go: to the named endpoint, or to the service's host in a region. Throws as
    /// `origin(_:profile:)` does.
    func origin(
        _ named: S3Settings.Endpoint?, service: String, region: String, profile: String?
    ) throws(ConfigurationError) -> Origin {
        if let named { return try origin(named, profile: profile) }
        return Origin(host: try variant(profile).host(of: service, in: region))
    }

    /// Where requests to a named endpoint go. Throws `ConfigurationError` where FIPS or IPv6 is
    /// asked for and its host's name does not say that it is of that kind.
    func origin(
        _ named: S3Settings.Endpoint, profile: String?
    ) throws(ConfigurationError) -> Origin {
        if let refusal = try variant(profile).refusal(ofNamed: named.host) {
            throw ConfigurationError(file: file, "\(subject): \(refusal)")
        }
        return Origin(isSecure: named.isSecure, host: named.host, port: named.port)
    }

    private func variant(_ profile: String?) throws(ConfigurationError) -> EndpointVariant {
        do {
            return try EndpointVariant(profile: profile, environment: environment)
        } catch {
            throw ConfigurationError(file: file, "\(subject): \(error)")
        }
    }
}
