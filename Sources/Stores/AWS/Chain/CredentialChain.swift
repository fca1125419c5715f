package import MooringModel

/// The usual chain of places where credentials come from, in the order of the AWS SDKs: the
/// environment, a web identity, the shared files, the container's endpoint, the instance's.
///
/// The first place that is set up decides. One that is set up and fails ends the search:
/// credentials of somebody else than was meant are worse than none.
package struct CredentialChain: CredentialSource {
    private let refreshed: RefreshedCredentials

    /// The chain for an environment.
    ///
    /// With a `profile` only that profile is asked, whatever the environment says. With a `role`
    /// what is found asks for that role's, at the token service of its region.
    package init(
        profile: String? = nil, role: (request: RoleRequest, region: String?)? = nil,
        environment: [String: String], clock: @escaping @Sendable () -> Instant
    ) {
        self.init(
            profile: profile, role: role, environment: environment,
            addresses: EndpointAddresses(), clock: clock)
    }

    /// The chain with other addresses, for tests.
    init(
        profile: String?, role: (request: RoleRequest, region: String?)? = nil,
        environment: [String: String], addresses: EndpointAddresses,
        clock: @escaping @Sendable () -> Instant
    ) {
        let context = ChainContext(environment, addresses, clock)
        let places: [any CredentialPlace]
        if let profile {
            places = [ProfileCredentials(context, profile: profile, isNamed: true)]
        } else {
            places = [
                EnvironmentCredentials(context), WebIdentityCredentials(context),
                ProfileCredentials(
                    context, profile: context.value("AWS_PROFILE") ?? "default",
                    isNamed: context.value("AWS_PROFILE") != nil),
                ContainerCredentials(context), InstanceCredentials(context),
            ]
        }
        refreshed = RefreshedCredentials(clock: clock) {
            let found = try await Self.search(places, clock())
            guard let role else { return found }
            return try await Self.assume(
                role.request, as: found,
                at: TokenService(context, region: role.region, profile: profile))
        }
    }

    /// Credentials that are good for some minutes yet. Throws `AWSFailure` that names every place
    /// that was looked into and why it gave none, and no value.
    package func credentials() async throws -> Credentials {
        try await refreshed.credentials()
    }

    /// Tells that a service refused these as expired: the next ones are looked for anew, unless
    /// they are others already.
    package func wereRefused(_ credentials: Credentials) async {
        await refreshed.forget(credentials)
    }

    // The role that the configuration names: nobody's own credentials stand in for it.
    private static func assume(
        _ request: RoleRequest, as source: Credentials, at service: TokenService
    ) async throws -> Credentials {
        switch await service.assume(request, as: source) {
        case .credentials(let found): return found
        case .nothing(let reason), .failure(let reason):
            throw AWSFailure(
                call: "credentials", reason: "none of the role of the configuration; \(reason)",
                hint: "let the role trust who asks (sts:AssumeRole), and compare its arn and "
                    + "externalId",
                mayHaveHappened: false)
        }
    }

    private static func search(
        _ places: [any CredentialPlace], _ now: Instant
    ) async throws -> Credentials {
        var reasons: [String] = []
        for place in places {
            switch await place.look() {
            case .credentials(let found):
                guard let end = found.expiresAt, end <= now else { return found }
                reasons.append("\(place.name): gave credentials that ended at \(end.iso8601)")
            case .nothing(let reason):
                reasons.append("\(place.name): \(reason)")
                continue
            case .failure(let reason): reasons.append("\(place.name): \(reason)")
            }
            break
        }
        throw AWSFailure(
            call: "credentials", reason: "none to be had; " + reasons.joined(separator: "; "),
            hint: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a profile of the "
                + "shared files under s3: {profile: NAME}",
            mayHaveHappened: false)
    }
}

/// What every place of the chain needs: the environment, addresses, the clock.
struct ChainContext: Sendable {
    /// The environment, as the process got it.
    let environment: [String: String]
    /// Where the endpoints are that give credentials.
    let addresses: EndpointAddresses
    /// This machine's time.
    let clock: @Sendable () -> Instant
    /// Asks these endpoints, under a time limit.
    let endpoints: EndpointClient

    /// A context.
    init(
        _ environment: [String: String], _ addresses: EndpointAddresses,
        _ clock: @escaping @Sendable () -> Instant
    ) {
        self.environment = environment
        self.addresses = addresses
        self.clock = clock
        endpoints = EndpointClient()
    }

    /// A variable; nil where it is not set, or empty.
    func value(_ name: String) -> String? {
        environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether a variable says `true`, in any case.
    func isTrue(_ name: String) -> Bool { value(name)?.lowercased() == "true" }

    /// A path with its `~` replaced by the home folder; nil when there is no home.
    func expanded(_ path: String) -> String? {
        guard path == "~" || path.hasPrefix("~/") else { return path }
        return value("HOME").map { $0 + path.dropFirst() }
    }
}
