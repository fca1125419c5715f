import MooringModel

/// Credentials of a profile in the shared files: its own, a role's, or those of a process.
struct ProfileCredentials: CredentialPlace {
    private let context: ChainContext
    private let profile: String
    private let isNamed: Bool

    /// What errors call it.
    var name: String { "profile '\(profile)'" }

    /// A profile; `isNamed` says that somebody asked for it, so that it has to be there.
    init(_ context: ChainContext, profile: String, isNamed: Bool) {
        self.context = context
        self.profile = profile
        self.isNamed = isNamed
    }

    /// Reads the files as they are now and follows what they say.
    func look() async -> CredentialAnswer {
        let profiles = SharedProfiles(context)
        let remarks = profiles.remarks.map { "; \($0)" }.joined()
        guard let settings = profiles.profile(profile) else {
            let reason = "no such profile in the shared files" + remarks
            return isNamed || profiles.hasUnreadable ? .failure(reason) : .nothing(reason)
        }
        var visited: [String] = []
        let found = await credentials(of: settings, profile, profiles, &visited)
        if case .nothing(let reason) = found, profiles.hasUnreadable {
            return .failure(reason + remarks)
        }
        return found
    }

    // The order of the AWS CLI: a role, a sign-in of SSO, keys in `credentials`, a sign-in to the
    // console, a process, keys in `config`.
    private func credentials(
        of settings: SharedProfile, _ name: String, _ profiles: SharedProfiles,
        _ visited: inout [String]
    ) async -> CredentialAnswer {
        let isSource = !visited.isEmpty
        visited.append(name)
        // A source that has keys of its own gives those, so that a profile may name itself.
        if isSource, Self.hasKeys(settings.credentials) || Self.hasKeys(settings.config) {
            return keys(of: settings)
        }
        if settings["role_arn"] != nil {
            return await role(of: settings, profiles, &visited)
        }
        if SSOCredentials.serves(settings) {
            return await SSOCredentials(
                context, profile: name, settings,
                session: settings["sso_session"].flatMap(profiles.session)
            ).look()
        }
        if Self.hasKeys(settings.credentials) { return keys(of: settings) }
        if let session = settings["login_session"] {
            return await LoginCredentials(context, profile: name, session: session).look()
        }
        if let line = settings["credential_process"] {
            return await CredentialProcess(line, environment: context.environment).look()
        }
        if Self.hasKeys(settings.config) { return keys(of: settings) }
        for setting in ["sso_session", "sso_start_url"] where settings[setting] != nil {
            return .failure("it has '\(setting)' without sso_account_id and sso_role_name")
        }
        return .nothing("the profile is there, and holds neither keys, a role nor a process")
    }

    private static func hasKeys(_ settings: [String: String]) -> Bool {
        settings["aws_access_key_id"] != nil || settings["aws_secret_access_key"] != nil
    }

    // All parts come from one file: keys of one and a token of the other do not fit together.
    private func keys(of settings: SharedProfile) -> CredentialAnswer {
        let source =
            Self.hasKeys(settings.credentials) ? settings.credentials : settings.config
        return .parts(
            source["aws_access_key_id"], source["aws_secret_access_key"],
            token: source["aws_session_token"] ?? source["aws_security_token"])
    }

    private func role(
        of settings: SharedProfile, _ profiles: SharedProfiles, _ visited: inout [String]
    ) async -> CredentialAnswer {
        guard settings["mfa_serial"] == nil else {
            return .failure("its role asks for a one-time code, and nobody is there to type it")
        }
        let request = RoleRequest(
            role: settings["role_arn"] ?? "", session: settings["role_session_name"],
            seconds: settings["duration_seconds"].flatMap { Int($0) },
            externalID: settings["external_id"])
        let service = TokenService(
            context, region: settings["region"] ?? RegionChoice.fromEnvironment(context),
            profile: profile)
        if let path = settings["web_identity_token_file"] {
            return await service.assume(
                request, tokenFile: path, named: "web_identity_token_file")
        }
        switch await source(of: settings, profiles, &visited) {
        case .credentials(let source): return await service.assume(request, as: source)
        case .nothing(let reason), .failure(let reason):
            return .failure("for its role's source: \(reason)")
        }
    }

    private func source(
        of settings: SharedProfile, _ profiles: SharedProfiles, _ visited: inout [String]
    ) async -> CredentialAnswer {
        if let name = settings["source_profile"] {
            if settings["credential_source"] != nil {
                return .failure("it has both source_profile and credential_source")
            }
            guard let source = profiles.profile(name) else {
                return .failure("source_profile names a profile that is not there")
            }
            let isItself = visited.last == name
            guard !visited.contains(name) || isItself && Self.hasAnyKeys(source) else {
                return .failure("source_profile leads round in a circle")
            }
            return await credentials(of: source, name, profiles, &visited)
        }
        switch settings["credential_source"] {
        case "Environment": return await EnvironmentCredentials(context).look()
        case "EcsContainer": return await ContainerCredentials(context).look()
        case "Ec2InstanceMetadata": return await InstanceCredentials(context).look()
        case nil: return .failure("role_arn needs source_profile or credential_source beside it")
        default:
            return .failure(
                "credential_source is none of Environment, EcsContainer, Ec2InstanceMetadata")
        }
    }

    private static func hasAnyKeys(_ profile: SharedProfile) -> Bool {
        hasKeys(profile.credentials) || hasKeys(profile.config)
    }
}
