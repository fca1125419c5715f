import MooringModel

/// Which region requests are meant for.
package enum RegionChoice {
    /// The region that was said, else the environment's (`AWS_REGION`, `AWS_DEFAULT_REGION`), else
    /// the profile's in the shared files; nil where nobody says one.
    package static func region(
        explicit: String?, profile: String?, environment: [String: String]
    ) -> String? {
        let context = ChainContext(environment, EndpointAddresses()) { .distantPast }
        let name = profile ?? context.value("AWS_PROFILE") ?? "default"
        return explicit ?? fromEnvironment(context)
            ?? SharedProfiles(context).profile(name)?["region"]
    }

    /// The region of `AWS_REGION`, else of `AWS_DEFAULT_REGION`; nil where neither is set.
    static func fromEnvironment(_ context: ChainContext) -> String? {
        context.value("AWS_REGION") ?? context.value("AWS_DEFAULT_REGION")
    }
}
