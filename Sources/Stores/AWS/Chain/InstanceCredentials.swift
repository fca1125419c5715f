/// Credentials of the machine's role, from the instance metadata service, version 2 only.
struct InstanceCredentials: CredentialPlace {
    private let context: ChainContext
    let name = "instance metadata"

    /// The service of this machine.
    init(_ context: ChainContext) { self.context = context }

    /// A token first, then the role's name, then its credentials. Off the cloud nobody answers, so
    /// one second is waited, once, unless the environment says otherwise.
    func look() async -> CredentialAnswer {
        if context.isTrue("AWS_EC2_METADATA_DISABLED") {
            return .nothing("AWS_EC2_METADATA_DISABLED is true")
        }
        let base = address()
        do {
            let token = try await ask(
                "PUT", base + "/latest/api/token",
                [("x-aws-ec2-metadata-token-ttl-seconds", "21600")], "a token")
            let header = [("x-aws-ec2-metadata-token", try Self.word(token, "token"))]
            let list = base + "/latest/meta-data/iam/security-credentials/"
            let roles = try await ask("GET", list, header, "the role's name")
            let role = try Self.word(roles, "role")
            let body = try await ask(
                "GET", list + PercentEncoding.part(Array(role.utf8)), header, "credentials")
            return .document(body, token: "Token")
        } catch {
            return .failure("\(error)")
        }
    }

    private func address() -> String {
        let mode = context.value("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE")?.lowercased()
        var base =
            context.value("AWS_EC2_METADATA_SERVICE_ENDPOINT")
            ?? (mode == "ipv6" ? context.addresses.instanceIPv6 : context.addresses.instance)
        while base.hasSuffix("/") { base.removeLast() }
        return base
    }

    private func ask(
        _ method: String, _ url: String, _ headers: [(name: String, value: String)], _ what: String
    ) async throws -> [UInt8] {
        func number(_ name: String) -> Int64? {
            context.value(name).flatMap { Int64($0) }.map { min(max($0, 1), 60) }
        }
        let answer: EndpointClient.Answer
        do {
            answer = try await context.endpoints.ask(
                .init(method: method, url: url, headers: headers),
                seconds: number("AWS_METADATA_SERVICE_TIMEOUT") ?? 1,
                attempts: Int(number("AWS_METADATA_SERVICE_NUM_ATTEMPTS") ?? 1))
        } catch {
            throw EndpointClient.Failure(description: "asked for \(what): \(error)")
        }
        guard answer.status == 200 else {
            throw EndpointClient.Failure(
                description: "asked for \(what): status \(answer.status)")
        }
        return answer.body
    }

    // The first line; what cannot stand in a header or an address is refused.
    private static func word(_ body: [UInt8], _ what: String) throws -> String {
        let line = body.prefix { $0 != 0x0A && $0 != 0x0D }
        let text = String(decoding: line, as: UTF8.self)
        guard !text.isEmpty, TokenFile.isHeader(text) else {
            throw EndpointClient.Failure(description: "gave no usable \(what)")
        }
        return text
    }
}
