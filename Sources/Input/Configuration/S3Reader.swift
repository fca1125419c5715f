/// Reads the `s3` of a bucket.
struct S3Reader {
    /// The section of the bucket.
    let section: Section

    /// The keys of `s3`, in the order of the documentation.
    static let keys = [
        "bucket", "region", "endpoint", "pathStyle", "profile", "role", "concurrency",
        "expectedOwner", "caBundle", "bucketName", "requesterPays",
        "directory",
    ]

    /// The settings; nil after a problem was reported.
    func read() -> S3Settings? {
        guard let own = section.section("s3", known: Self.keys) else { return nil }
        guard own.has("bucket") else {
            own.reportMissing("bucket", "write the bucket's own name in the store")
            return nil
        }
        let endpoint = endpoint(own)
        guard let bucket = address(own, isAWS: endpoint?.isAWS ?? true) else { return nil }
        var settings = S3Settings(bucket: bucket)
        settings.region = word("region", own)
        settings.endpoint = endpoint
        settings.pathStyle =
            own.bool("pathStyle") ?? (own.has("endpoint") && !settings.isAccessPoint)
        AccessPointReader(own: own).complete(&settings)
        settings.profile = own.filled("profile")?.value
        settings.role = RoleReader(section: own).read()
        settings.concurrency = concurrency(own) ?? settings.concurrency
        settings.expectedOwner = owner(own)
        settings.requesterPays = own.bool("requesterPays") ?? false
        DirectoryBucketReader(own: own).complete(&settings)
        settings.caBundle = own.has("caBundle") ? own.path("caBundle") : nil
        return settings
    }

    // A bucket's own name, or an access point's.
    private func address(_ own: Section, isAWS: Bool) -> String? {
        guard let text = own.filled("bucket") else { return nil }
        switch BucketAddress(text.value, isAWS: isAWS) {
        case .name(let name), .directory(let name): return name
        case .accessPoint(let point): return point.arn
        case .refused(let reason):
            own.context.report("'bucket': '\(text.shown)' \(reason)", line: text.line)
        case .none where text.value.hasPrefix("arn:"):
            own.context.report(
                "'bucket' needs an access point as "
                    + "arn:aws:s3:eu-west-1:123456789012:accesspoint/NAME, or a bucket's own name; "
                    + "found '\(text.shown)'", line: text.line)
        case .none: return name("bucket", own)
        }
        return nil
    }

    /// A bucket's own name: what stands in a path or in a host's name, so nothing that could end
    /// either. AWS's rules are narrower; other stores take capitals and underscores too.
    func name(_ key: String, _ own: Section) -> String? {
        guard let text = own.filled(key) else { return nil }
        guard Self.isBucketName(text.value) else {
            own.context.report(
                "'\(key)' needs a bucket's own name (letters, digits, '-', '.', '_'); found "
                    + "'\(text.shown)'",
                line: text.line)
            return nil
        }
        return text.value
    }

    /// Whether a text may be a bucket's own name.
    static func isBucketName(_ text: String) -> Bool {
        (1...255).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
                default: false
                }
            } && ![".", ".."].contains(text)
    }

    /// A region's name, or nil where there is none or after a problem was reported.
    func word(_ key: String, _ own: Section) -> String? {
        guard own.has(key), let text = own.filled(key) else { return nil }
        let isWord = text.value.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
        }
        guard isWord else {
            own.context.report(
                "'\(key)' needs a name such as eu-west-1; found '\(text.shown)'", line: text.line)
            return nil
        }
        return text.value
    }

    private func concurrency(_ own: Section) -> Int? {
        guard let count = own.count("concurrency") else { return nil }
        guard (1...256).contains(count) else {
            own.report(
                "'concurrency' needs a number from 1 to 256; found \(count)", at: "concurrency")
            return nil
        }
        return count
    }

    private func owner(_ own: Section) -> String? {
        guard let text = own.filled("expectedOwner") else { return nil }
        let isAccount =
            text.value.utf8.count == 12
            && text.value.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isAccount else {
            own.context.report(
                "'expectedOwner' needs an account's twelve digits; found '\(text.shown)'",
                line: text.line)
            return nil
        }
        return text.value
    }

    /// Where another service than AWS's answers; nil where nobody says it, or after a problem.
    func endpoint(_ own: Section) -> S3Settings.Endpoint? {
        guard let text = own.filled("endpoint") else { return nil }
        guard let endpoint = S3Settings.Endpoint(url: text.value) else {
            // What stood there is not repeated: it may hold a password.
            own.context.report(
                "'endpoint' needs a URL such as https://storage.example.com:9000, without a path, "
                    + "a user or a query",
                line: text.line)
            return nil
        }
        return endpoint
    }
}

extension S3Settings.Endpoint {
    /// The endpoint that a URL of scheme, host and port names; nil for any other URL.
    package init?(url: String) {
        let secure = url.hasPrefix("https://")
        guard secure || url.hasPrefix("http://") else { return nil }
        var rest = Substring(url.dropFirst(secure ? 8 : 7))
        if rest.hasSuffix("/") { rest.removeLast() }
        let isBracketed = rest.hasPrefix("[")
        let colon =
            isBracketed
            ? rest.firstIndex(of: "]").flatMap { rest[$0...].firstIndex(of: ":") }
            : rest.firstIndex(of: ":")
        let host = colon.map { rest[..<$0] } ?? rest
        var port: Int?
        if let colon {
            let digits = rest[rest.index(after: colon)...]
            guard let number = Int(digits), (1...65_535).contains(number),
                digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
            else { return nil }
            port = number
        }
        let isHost = host.utf8.allSatisfy {
            switch $0 {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            case 0x3A, 0x5B, 0x5D: isBracketed
            default: false
            }
        }
        guard !host.isEmpty, isHost, !isBracketed || host.hasSuffix("]") else { return nil }
        self.init(isSecure: secure, host: String(host), port: port)
    }
}
