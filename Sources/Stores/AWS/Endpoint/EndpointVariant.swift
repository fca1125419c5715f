import MooringModel

/// Which of a service's hosts are asked: those whose cryptography is validated under FIPS 140,
/// those that IPv6 reaches too, or the usual ones.
package struct EndpointVariant: Hashable, Sendable {
    /// Whether it has to be a host of FIPS.
    package var isFIPS = false
    /// Whether it has to be a host that IPv6 reaches too.
    package var isDualStack = false

    /// What the service of one zone's directory buckets begins with; the zone's id follows.
    package static let zonal = "s3express-"

    /// The usual hosts.
    package init() {}

    /// What the environment asks for (`AWS_USE_FIPS_ENDPOINT`, `AWS_USE_DUALSTACK_ENDPOINT`), else
    /// the profile in the shared files (`use_fips_endpoint`, `use_dualstack_endpoint`). Throws
    /// `AWSFailure` where one says neither true nor false.
    package init(profile: String?, environment: [String: String]) throws {
        try self.init(
            ChainContext(environment, EndpointAddresses()) { .distantPast }, profile: profile)
    }

    /// The same, in a context.
    init(_ context: ChainContext, profile: String?) throws {
        let name = profile ?? context.value("AWS_PROFILE") ?? "default"
        let shared = SharedProfiles(context).profile(name)
        func isAsked(_ variable: String, _ setting: String) throws -> Bool {
            if let said = context.value(variable) { return try Self.truth(said, of: variable) }
            return try shared?[setting].map {
                try Self.truth($0, of: "\(setting) of profile '\(name)'")
            } ?? false
        }
        isFIPS = try isAsked("AWS_USE_FIPS_ENDPOINT", "use_fips_endpoint")
        isDualStack = try isAsked("AWS_USE_DUALSTACK_ENDPOINT", "use_dualstack_endpoint")
    }

    /// The host of a service in a region; `service` is what its usual hosts' names begin with.
    package func host(of service: String, in region: String) -> String {
        let partition = Partition.of(region: region)
        let family = service + (isFIPS ? "-fips" : "")
        // Those of a zone are named by it, and asked by the zone's buckets alone.
        if service.hasPrefix(Self.zonal) {
            let zone = service.dropFirst(Self.zonal.utf8.count)
            return Self.zonal + (isFIPS ? "fips-" : "") + zone
                + (isDualStack ? ".dualstack" : "") + ".\(region).\(partition.suffix)"
        }
        // S3 came first, and says so within the name.
        if service == "s3" || service == "s3-accesspoint" {
            let middle = isDualStack ? ".dualstack" : ""
            return "\(family)\(middle).\(region).\(partition.suffix)"
        }
        return "\(family).\(region)."
            + (isDualStack ? partition.dualStackSuffix : partition.suffix)
    }

    /// Why a host that somebody named is not asked; nil where it is. What was asked for is not
    /// dropped because another place names a host: the AWS SDKs refuse the pair as well.
    package func refusal(ofNamed host: String) -> String? {
        let host = host.lowercased()
        if isFIPS, !host.contains("fips") {
            return "AWS_USE_FIPS_ENDPOINT asks for hosts of FIPS, and the host that is named "
                + "beside it is none; set it to false for this program, or name a host of FIPS"
        }
        let suffixes = Partition.all.map { "." + $0.dualStackSuffix }
        if isDualStack, !host.contains("dualstack"), !suffixes.contains(where: host.hasSuffix) {
            return "AWS_USE_DUALSTACK_ENDPOINT asks for hosts that IPv6 reaches, and the host that "
                + "is named beside it is none; set it to false for this program, or name such a "
                + "host"
        }
        return nil
    }

    private static func truth(_ text: String, of name: String) throws -> Bool {
        switch text.lowercased() {
        case "true": return true
        case "false": return false
        default:
            throw AWSFailure(
                call: "endpoint", reason: "\(name) says neither true nor false",
                hint: "write one of these, or take it away", mayHaveHappened: false)
        }
    }
}
