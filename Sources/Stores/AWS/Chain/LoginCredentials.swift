import Crypto
import MooringModel
import MooringText

/// Credentials of a sign-in to the AWS console that `aws login` keeps (`login_session`).
///
/// They are read where the AWS CLI keeps them, and never renewed or written: that takes the key
/// beside them, which is the CLI's. They live for 15 minutes, and the CLI renews them whenever it
/// is used. Where they lie and what the file holds is told by `LoginProvider` in
/// github.com/boto/botocore, and by its tests.
struct LoginCredentials: CredentialPlace {
    private let context: ChainContext
    private let profile: String
    private let session: String

    private static let variable = "AWS_LOGIN_CACHE_DIRECTORY"

    /// What errors call it.
    var name: String { "profile '\(profile)'" }

    /// The sign-in of a profile, by what its `login_session` says.
    init(_ context: ChainContext, profile: String, session: String) {
        self.context = context
        self.profile = profile
        self.session = session
    }

    /// Reads the sign-in as it is now.
    func look() async -> CredentialAnswer {
        let path: String
        switch file {
        case .success(let found): path = found
        case .failure(let failure): return .failure(failure.description)
        }
        do throws(SmallFile.Failure) {
            return read(try SmallFile.bytes(path, limit: 1 << 20))
        } catch {
            switch error {
            case .missing: return .failure("nobody is signed in; \(signIn)")
            case .unreadable(let reason): return .failure("the file of its sign-in \(reason)")
            }
        }
    }

    private var signIn: String { "run 'aws login --profile \(profile)'" }

    private var file: Result<String, EndpointClient.Failure> {
        let folder = context.value(Self.variable) ?? "~/.aws/login/cache"
        // Others put variables in; taken as it stands it would be another folder.
        guard !folder.utf8.contains(UInt8(ascii: "$")) else {
            return .failure(
                EndpointClient.Failure(
                    description: "\(Self.variable) holds '$', and no variable is put into it; "
                        + "write the folder in full"))
        }
        let digest = Hexadecimal.text(Array(SHA256.hash(data: Array(session.utf8))))
        guard let path = context.expanded("\(folder)/\(digest).json") else {
            return .failure(
                EndpointClient.Failure(
                    description: "HOME is not set, below which sign-ins lie"))
        }
        return .success(path)
    }

    private func read(_ bytes: [UInt8]) -> CredentialAnswer {
        // The parser's error could only tell where in a secret it stopped.
        guard let token = (try? JSONNode(parsing: bytes))?["accessToken"], token.members != nil,
            let session = token["sessionToken"]?.string, !session.isEmpty,
            let end = token["expiresAt"]?.string.flatMap({ Instant(iso8601: $0) })
        else {
            return .failure("the file of its sign-in holds no credentials with an end; \(signIn)")
        }
        guard end > context.clock() else {
            return .failure(
                "the credentials of its sign-in ended at \(end.iso8601), and are not renewed here; "
                    + "\(signIn), or name a profile that has credential_process = aws configure "
                    + "export-credentials --profile \(profile), which renews them")
        }
        return .parts(
            token["accessKeyId"]?.string, token["secretAccessKey"]?.string, token: session,
            expiresAt: end)
    }
}
