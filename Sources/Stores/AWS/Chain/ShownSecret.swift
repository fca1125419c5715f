import MooringModel

/// A key or token that is sent as it is, from where it was set up; read when it is first needed,
/// and again after a service refused it. It is never shown.
package actor ShownSecret: CredentialSource {
    /// Where it comes from.
    package enum Place: Sendable {
        /// From a variable of the environment; nil where it is not set.
        case variable(name: String, value: String?)
        /// From a file, without the blanks around it.
        case file(path: String, setting: String)
        /// From what a program prints, started without a shell.
        case command(line: String, setting: String, environment: [String: String])
    }

    private let place: Place
    private let what: String
    private let hint: String
    private var current: Credentials?

    /// A secret of a place. Errors call it `what`, and say with `hint` how it is set up.
    package init(_ place: Place, what: String, hint: String) {
        self.place = place
        self.what = what
        self.hint = hint
    }

    /// The secret. Throws `AWSFailure` that names the place and nothing of the secret.
    package func credentials() async throws -> Credentials {
        if let current { return current }
        let text: String
        do {
            text = try await read()
        } catch let failure as EndpointClient.Failure {
            throw AWSFailure(
                call: what, reason: "none to be had; \(failure)", hint: hint,
                mayHaveHappened: false)
        }
        let secret = Credentials(accessKeyID: what, secretAccessKey: text)
        current = secret
        return secret
    }

    /// Lets go of a secret that a service refused, unless another has taken its place.
    package func wereRefused(_ credentials: Credentials) async {
        guard let current,
            current.secretAccessKey.utf8.elementsEqual(credentials.secretAccessKey.utf8)
        else { return }
        self.current = nil
    }

    private func read() async throws -> String {
        let text: String
        switch place {
        case .variable(let name, let value):
            guard let value, !value.isEmpty else {
                throw EndpointClient.Failure(description: "\(name) is not set")
            }
            text = value
        case .file(let path, let setting): text = try TokenFile.token(at: path, named: setting)
        case .command(let line, let setting, let environment):
            let printed = try await CredentialProcess(
                line, environment: environment, name: setting
            ).printed()
            text = try TokenFile.trimmed(printed, "what \(setting) printed")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw EndpointClient.Failure(
                description: "it holds a blank or another character that none has")
        }
        return text
    }
}
