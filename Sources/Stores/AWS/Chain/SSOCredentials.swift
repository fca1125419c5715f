import Crypto
import Foundation
import MooringModel
import MooringText

/// Credentials of a role that somebody signed in for with `aws sso login` (IAM Identity Center).
///
/// The sign-in is read where the AWS CLI keeps it, and never renewed or written: the CLI alone
/// holds what renews it.
struct SSOCredentials: CredentialPlace {
    private let context: ChainContext
    private let profile: String
    private let settings: SharedProfile
    private let session: [String: String]?

    /// What errors call it.
    var name: String { "profile '\(profile)'" }

    /// What a profile says of its sign-in; `session` is the section that its `sso_session` names,
    /// nil where there is none.
    init(
        _ context: ChainContext, profile: String, _ settings: SharedProfile,
        session: [String: String]?
    ) {
        self.context = context
        self.profile = profile
        self.settings = settings
        self.session = session
    }

    /// Whether a profile gets its credentials so.
    static func serves(_ settings: SharedProfile) -> Bool {
        settings["sso_account_id"] != nil || settings["sso_role_name"] != nil
    }

    /// Reads the sign-in as it is now, and asks for the role's credentials.
    func look() async -> CredentialAnswer {
        guard let account = settings["sso_account_id"], let role = settings["sso_role_name"] else {
            return .failure("it needs both sso_account_id and sso_role_name")
        }
        if settings["sso_session"] != nil, session == nil {
            return .failure("its sso_session names a section that is not in the shared files")
        }
        guard let start = setting("sso_start_url"), let region = setting("sso_region") else {
            return .failure("it needs sso_start_url and sso_region, in sso_session or beside it")
        }
        do {
            let token = try token(of: settings["sso_session"] ?? start)
            guard
                let address = try ServiceAddress(context, profile: profile).origin(
                    of: "portal.sso", variable: "AWS_ENDPOINT_URL_SSO", in: region)
            else { return .failure("the address of its sign-in portal is neither http nor https") }
            if let refusal = EndpointRule.refusal(of: address.text) {
                return .failure("the address of its sign-in portal \(refusal)")
            }
            return try await ask(address, account, role, token)
        } catch {
            return .failure("\(error)")
        }
    }

    // Those of the session stand above the profile's own, as in the CLI.
    private func setting(_ name: String) -> String? {
        let own = session.map { $0[name] } ?? settings[name]
        return own.flatMap { $0.isEmpty ? nil : $0 }
    }

    private var signIn: String { "run 'aws sso login --profile \(profile)'" }

    // The CLI calls the file after the session, or after the address where there is none.
    private func token(of key: String) throws -> String {
        let digest = Hexadecimal.text(Array(Insecure.SHA1.hash(data: Data(key.utf8))))
        guard let path = context.expanded("~/.aws/sso/cache/\(digest).json") else {
            throw EndpointClient.Failure(description: "HOME is not set, below which sign-ins lie")
        }
        let bytes: [UInt8]
        do throws(SmallFile.Failure) {
            bytes = try SmallFile.bytes(path, limit: 1 << 20)
        } catch .missing {
            throw EndpointClient.Failure(description: "nobody is signed in; \(signIn)")
        } catch .unreadable(let reason) {
            throw EndpointClient.Failure(description: "the file of its sign-in \(reason)")
        }
        // The parser's error could only tell where in a secret it stopped.
        guard let document = try? JSONNode(parsing: bytes),
            let token = document["accessToken"]?.string, !token.isEmpty,
            TokenFile.isHeader(token), let text = document["expiresAt"]?.string,
            let end = Instant(iso8601: text.hasSuffix("UTC") ? text.dropLast(3) + "Z" : text)
        else {
            throw EndpointClient.Failure(
                description: "the file of its sign-in holds no token with an end; \(signIn)")
        }
        guard end > context.clock() else {
            throw EndpointClient.Failure(
                description: "its sign-in ended at \(end.iso8601); \(signIn)")
        }
        return token
    }

    private func ask(
        _ address: Origin, _ account: String, _ role: String, _ token: String
    ) async throws -> CredentialAnswer {
        // Outside this machine, so by the ways and with the trust of every other call.
        let ways = try AWSClientSettings(environment: context.environment)
        let client = EndpointClient(proxy: ways.proxies.proxy(for: address), trust: ways.trust)
        let query =
            "role_name=" + PercentEncoding.part(Array(role.utf8))
            + "&account_id=" + PercentEncoding.part(Array(account.utf8))
        let answer = try await client.ask(
            .init(
                method: "GET", url: "\(address.text)/federation/credentials?\(query)",
                headers: [("x-amz-sso_bearer_token", token), ("accept", "application/json")]),
            seconds: 10, attempts: 3)
        switch answer.status {
        case 200: return Self.read(answer.body)
        case 401: return .failure("its sign-in is not valid any more; \(signIn)")
        case 403, 404:
            return .failure(
                "who is signed in may not take the role of sso_role_name in the account of "
                    + "sso_account_id (status \(answer.status))")
        default: return .failure("its sign-in portal answered with status \(answer.status)")
        }
    }

    private static func read(_ body: [UInt8]) -> CredentialAnswer {
        // Swallowed here too: the error could repeat what stands beside a secret.
        guard let document = try? JSONNode(parsing: body),
            let found = document["roleCredentials"], let end = found["expiration"]?.integer,
            // Milliseconds, up to the year 2200.
            (0...7_258_118_400_000).contains(end)
        else { return .failure("the answer of its sign-in portal holds no credentials") }
        return .parts(
            found["accessKeyId"]?.string, found["secretAccessKey"]?.string,
            token: found["sessionToken"]?.string,
            expiresAt: Instant(nanoseconds: 0) + .milliseconds(end))
    }
}
