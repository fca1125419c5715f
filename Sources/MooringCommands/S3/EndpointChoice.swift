import MooringConfiguration

/// Where a service of AWS answers, when the configuration does not say: the variables of the usual
/// chain, `AWS_ENDPOINT_URL_SERVICE` before `AWS_ENDPOINT_URL`.
enum EndpointChoice {
    /// The endpoint; nil for AWS's own. Throws `ConfigurationError` where a variable holds no URL
    /// of scheme, host and port; what it holds is not repeated.
    static func endpoint(
        _ given: S3Settings.Endpoint?, service: String, file: String,
        environment: [String: String]
    ) throws(ConfigurationError) -> S3Settings.Endpoint? {
        if let given { return given }
        let variables = ["AWS_ENDPOINT_URL_\(service)", "AWS_ENDPOINT_URL"]
        let set = variables.first { environment[$0].map { !$0.isEmpty } ?? false }
        guard let variable = set, environment["AWS_IGNORE_CONFIGURED_ENDPOINT_URLS"] != "true",
            let text = environment[variable]
        else { return nil }
        guard let endpoint = S3Settings.Endpoint(url: text) else {
            throw ConfigurationError(
                file: file,
                "\(variable) needs a URL such as https://storage.example.com:9000, without a path, "
                    + "a user or a query")
        }
        return endpoint
    }
}
