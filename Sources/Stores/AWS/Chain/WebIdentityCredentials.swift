/// Credentials for a token that somebody else signed, as Kubernetes gives one to each pod.
struct WebIdentityCredentials: CredentialPlace {
    private let context: ChainContext
    let name = "web identity"

    /// The token that the environment names.
    init(_ context: ChainContext) { self.context = context }

    /// Changes the token into credentials; it is read from its file each time.
    func look() async -> CredentialAnswer {
        let variable = "AWS_WEB_IDENTITY_TOKEN_FILE"
        guard let path = context.value(variable) else { return .nothing("no \(variable) is set") }
        guard let role = context.value("AWS_ROLE_ARN") else {
            return .failure("\(variable) is set, and AWS_ROLE_ARN is not")
        }
        let request = RoleRequest(role: role, session: context.value("AWS_ROLE_SESSION_NAME"))
        return await TokenService(context, region: RegionChoice.fromEnvironment(context))
            .assume(request, tokenFile: path, named: variable)
    }
}
