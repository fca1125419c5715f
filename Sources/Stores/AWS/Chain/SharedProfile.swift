/// A profile as the shared `config` and `credentials` files hold it.
struct SharedProfile: Sendable {
    /// Its settings in `config`.
    let config: [String: String]
    /// Its settings in `credentials`, which stand above those of `config`.
    let credentials: [String: String]

    /// A setting; nil where neither file has it, or it is empty.
    subscript(_ name: String) -> String? {
        (credentials[name] ?? config[name]).flatMap { $0.isEmpty ? nil : $0 }
    }
}

/// Both shared files, as they are now.
struct SharedProfiles: Sendable {
    // Longer than any that people write; a bound for what is no such file.
    private static let limit = 32 << 20

    private var config: [String: [String: String]] = [:]
    private var credentials: [String: [String: String]] = [:]
    /// What is wrong with each file, or that it is not there.
    private(set) var remarks: [String] = []
    /// Whether a file is there and cannot be read.
    private(set) var hasUnreadable = false

    /// Reads both files where the environment says they are.
    init(_ context: ChainContext) {
        config = sections(context, "AWS_CONFIG_FILE", "~/.aws/config")
        credentials = sections(context, "AWS_SHARED_CREDENTIALS_FILE", "~/.aws/credentials")
    }

    /// A profile; nil where neither file has it. In `config` its section is called `profile NAME`;
    /// for `default` both forms do, and the long one stands above.
    func profile(_ name: String) -> SharedProfile? {
        let inConfig = config["profile \(name)"] ?? (name == "default" ? config[name] : nil)
        let inCredentials = credentials[name]
        guard inConfig != nil || inCredentials != nil else { return nil }
        return SharedProfile(config: inConfig ?? [:], credentials: inCredentials ?? [:])
    }

    /// What a sign-in of the CLI is called by in `config`, under `sso-session NAME`; nil where it
    /// is not there.
    func session(_ name: String) -> [String: String]? { config["sso-session \(name)"] }

    private mutating func sections(
        _ context: ChainContext, _ variable: String, _ usual: String
    ) -> [String: [String: String]] {
        let shown = context.value(variable) == nil ? usual : "the file of \(variable)"
        guard let path = context.expanded(context.value(variable) ?? usual) else {
            remarks.append("\(shown) is not looked for, since HOME is not set")
            return [:]
        }
        do throws(SmallFile.Failure) {
            let file = SharedFile(parsing: try SmallFile.bytes(path, limit: Self.limit))
            if let line = file.firstFault {
                remarks.append("line \(line) of \(shown) is neither a section nor a setting")
            }
            return file.sections
        } catch {
            switch error {
            case .missing: remarks.append("\(shown) is not there")
            case .unreadable(let reason):
                remarks.append("\(shown) \(reason)")
                hasUnreadable = true
            }
        }
        return [:]
    }
}
