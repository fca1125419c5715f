import MooringModel

/// Who acted, as logs of AWS name them, and how precisely that is.
enum EventActor {
    /// A requester: an ARN, a canonical id, an account's number, a service, or `-` for nobody.
    static func requester(_ text: String?) -> (String?, LoggedEvent.ActorPrecision) {
        guard let text, !text.isEmpty, text != "-" else { return (nil, .none) }
        if text.hasSuffix(".amazonaws.com") || text == "AmazonS3" || text.hasPrefix("svc:") {
            return (text, .service)
        }
        if text.hasPrefix("arn:") {
            if text.contains(":assumed-role/") || text.contains(":role/") { return (text, .role) }
            if text.contains(":user/") || text.contains(":federated-user/") { return (text, .user) }
        }
        return (text, .account)
    }

    /// The principal of a notification; the beginnings of ids tell users from roles.
    static func principal(_ text: String?) -> (String?, LoggedEvent.ActorPrecision) {
        guard let text, !text.isEmpty else { return (nil, .none) }
        if text.hasSuffix(".amazonaws.com") { return (text, .service) }
        let own = text.split(separator: ":").drop { $0 == "AWS" }.first ?? ""
        if own.hasPrefix("AROA") { return (text, .role) }
        if own.hasPrefix("AIDA") { return (text, .user) }
        return (text, .account)
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
