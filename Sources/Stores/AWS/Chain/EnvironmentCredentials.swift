/// Credentials that stand in the environment.
struct EnvironmentCredentials: CredentialPlace {
    private let context: ChainContext
    let name = "environment"

    /// The environment's own.
    init(_ context: ChainContext) { self.context = context }

    /// Half of a pair is a failure: whoever set it meant it.
    func look() async -> CredentialAnswer {
        let identifier = context.value("AWS_ACCESS_KEY_ID")
        let secret = context.value("AWS_SECRET_ACCESS_KEY")
        if identifier == nil, secret == nil { return .nothing("AWS_ACCESS_KEY_ID is not set") }
        guard identifier != nil else {
            return .failure("AWS_SECRET_ACCESS_KEY is set, and AWS_ACCESS_KEY_ID is not")
        }
        guard secret != nil else {
            return .failure("AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not")
        }
        return .parts(identifier, secret, token: context.value("AWS_SESSION_TOKEN"))
    }
}
