package import MooringAWS

/// What an answer tells of the region in which a bucket really is.
package enum S3Redirect {
    private static let wrongRegion: Set<String> = [
        "AuthorizationHeaderMalformed", "IllegalLocationConstraintException",
        "IllegalLocationConstraint", "PermanentRedirect", "TemporaryRedirect", "Redirect",
        "IncorrectEndpoint",
    ]

    /// What an answer says.
    package enum Advice: Hashable, Sendable {
        /// It is about something else.
        case none
        /// The bucket is in this region.
        case region(String)
        /// The bucket is elsewhere, and the answer does not say where.
        case elsewhere
    }

    /// Reads an answer. No address in it is ever taken as one: of a host's name only the region is
    /// read, and only of a host of AWS's own that is about this bucket.
    package static func advice(in response: AWSResponse, about bucket: String) -> Advice {
        let isRedirect = [301, 302, 307, 308].contains(response.status)
        guard isRedirect || response.status == 400 else { return .none }
        let names = ["Code", "Region", "Endpoint"]
        let texts =
            response.body.isEmpty ? [:] : XMLDocument.texts(of: names, in: response.body)
        if !isRedirect {
            // An answer to HEAD has no body that could tell one 400 from another.
            if let code = texts["Code"], !wrongRegion.contains(code) { return .none }
            if texts["Code"] == nil, !response.body.isEmpty { return .none }
        }
        for region in [response["x-amz-bucket-region"], texts["Region"]].compactMap({ $0 })
        where S3Host.isRegion(region[...]) {
            return .region(region)
        }
        let hosts = [texts["Endpoint"], response["location"].flatMap(host)].compactMap { $0 }
        for host in hosts {
            let name =
                host.hasPrefix(bucket + ".") ? String(host.dropFirst(bucket.count + 1)) : host
            if let region = S3Host(name)?.region { return .region(region) }
        }
        return .elsewhere
    }

    private static func host(ofURL text: String) -> String? {
        guard let start = text.firstRange(of: "://")?.upperBound else { return nil }
        let authority = text[start...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        // A name and a password before a host make it another host than it looks like.
        return authority.contains("@") ? nil : String(authority.prefix { $0 != ":" })
    }
}
