import MooringModel

/// Who acted, as logs of AWS name them, and how precisely that is.
enum EventActor {
    /// A requester: an ARN, a canonical id, an account's number, a service, or `-` for nobody.
    static func requester(_ text: String?) -> (String?, LoggedEvent.ActorPrecision) {
        guard let text, !text.isEmpty, text != "-" else { return (nil, .none) }
        if let known = named(text) { return (text, known) }
        if text.hasSuffix(".amazonaws.com") || text == "AmazonS3" || text.hasPrefix("svc:") {
            return (text, .service)
        }
        return (text, .account)
    }

    /// The principal of a notification; the beginnings of ids tell users from roles.
    static func principal(_ text: String?) -> (String?, LoggedEvent.ActorPrecision) {
        guard let text, !text.isEmpty else { return (nil, .none) }
        if let known = named(text) { return (text, known) }
        return (text, text.hasSuffix(".amazonaws.com") ? .service : .account)
    }

    // By its beginning, since users and sessions choose the end of their names: `x.amazonaws.com`.
    private static func named(_ text: String) -> LoggedEvent.ActorPrecision? {
        if text.hasPrefix("arn:") {
            if text.contains(":assumed-role/") || text.contains(":role/") { return .role }
            if text.contains(":user/") || text.contains(":federated-user/") { return .user }
            return .account
        }
        let own = text.split(separator: ":").drop { $0 == "AWS" }.first ?? ""
        if own.hasPrefix("AROA") { return .role }
        return own.hasPrefix("AIDA") ? .user : nil
    }

    /// The `userIdentity` of CloudTrail.
    static func identity(_ node: JSONNode?) -> (String?, LoggedEvent.ActorPrecision) {
        guard let node else { return (nil, .none) }
        let name =
            node["arn"]?.string ?? node["principalId"]?.string ?? node["invokedBy"]?.string
            ?? node["accountId"]?.string
        switch node["type"]?.string {
        case "IAMUser", "FederatedUser", "IdentityCenterUser", "WebIdentityUser", "SAMLUser":
            return (name, .user)
        case "AssumedRole", "Role": return (name, .role)
        case "AWSService": return (node["invokedBy"]?.string ?? name, .service)
        case "Root", "AWSAccount": return (name, .account)
        default: return (name, .none)
        }
    }
}
