/// Credentials that a container gets from an endpoint of its platform (ECS, EKS).
struct ContainerCredentials: CredentialPlace {
    private let context: ChainContext
    let name = "container endpoint"

    /// The endpoint that the environment names.
    init(_ context: ChainContext) { self.context = context }

    /// Asks the endpoint; the token is read from its file each time, since it changes.
    func look() async -> CredentialAnswer {
        let address: String
        if let path = context.value("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
            guard path.hasPrefix("/") else {
                return .failure("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with /")
            }
            address = context.addresses.container + path
        } else if let full = context.value("AWS_CONTAINER_CREDENTIALS_FULL_URI") {
            address = full
        } else {
            return .nothing("no AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI is set")
        }
        if let refusal = EndpointRule.refusal(of: address) {
            return .failure("AWS_CONTAINER_CREDENTIALS_FULL_URI \(refusal)")
        }
        do {
            let headers = [("accept", "application/json")] + (try authorization())
            let answer = try await context.endpoints.ask(
                .init(method: "GET", url: address, headers: headers), seconds: 2, attempts: 3)
            guard answer.status == 200 else {
                return .failure("answered with status \(answer.status)")
            }
            return .document(answer.body, token: "Token")
        } catch {
            return .failure("\(error)")
        }
    }

    private func authorization() throws -> [(name: String, value: String)] {
        let file = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"
        var token = context.value("AWS_CONTAINER_AUTHORIZATION_TOKEN")
        if let path = context.value(file) {
            token = try TokenFile.token(at: path, named: file)
        }
        guard let token else { return [] }
        guard TokenFile.isHeader(token) else {
            throw EndpointClient.Failure(description: "its token cannot stand in a header")
        }
        return [("authorization", token)]
    }
}
