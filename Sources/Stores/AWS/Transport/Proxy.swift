/// A proxy through which connections are made.
package struct Proxy: Hashable, Sendable, CustomStringConvertible {
    /// The host's name or address, an IPv6 one without brackets.
    package let host: String
    /// The port; 80 where the variable names none.
    package let port: Int
    /// What the proxy wants to know of its user; nil when nothing.
    let login: ProxyLogin?

    /// A proxy from the text of a variable: `http://user:password@host:port`, where all but the
    /// host may be left out. Nil when the text is none, or of a kind that is not spoken.
    package init?(_ text: String) {
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") {
            guard rest[..<scheme.lowerBound].lowercased() == "http" else { return nil }
            rest = rest[scheme.upperBound...]
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var login: ProxyLogin?
        if let at = rest.lastIndex(of: "@") {
            guard let given = ProxyLogin(rest[..<at]) else { return nil }
            login = given
            rest = rest[rest.index(after: at)...]
        }
        guard let (host, port) = HostPort.split(rest), !host.isEmpty else { return nil }
        self.host = host
        self.port = port ?? 80
        self.login = login
    }

    /// `host:port`, and nobody's password.
    package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// A name and a password for a proxy; never shown.
struct ProxyLogin: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The user's name, percent-decoded.
    let user: String
    /// The password, percent-decoded.
    let password: String

    /// A login from `user:password`, both percent-encoded.
    init?(_ text: Substring) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = PercentEncoding.decoded(parts[0]),
            let password = parts.count > 1 ? PercentEncoding.decoded(parts[1]) : ""
        else { return nil }
        self.user = user
        self.password = password
    }

    /// That there is one, and nothing of it.
    var description: String { "a proxy's login" }
    /// That there is one, and nothing of it.
    var debugDescription: String { description }
}

/// A host with a port behind it, as addresses write them.
enum HostPort {
    /// Splits `host`, `host:port`, `[address]` and `[address]:port`; the brackets are left out.
    /// Nil when what should be the port is none.
    static func split(_ text: Substring) -> (host: String, port: Int?)? {
        var host = text
        var tail = Substring()
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            host = text[text.index(after: text.startIndex)..<end]
            tail = text[text.index(after: end)...]
        } else if let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") {
            host = text[..<colon]
            tail = text[colon...]
        }
        guard !tail.isEmpty else { return (String(host), nil) }
        guard tail.hasPrefix(":"), let port = UInt16(tail.dropFirst()), port > 0 else {
            return nil
        }
        return (String(host), Int(port))
    }
}

extension PercentEncoding {
    /// The text that a percent-encoded one means; nil where an escape is none, or the text no
    /// UTF-8.
    static func decoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let first = rest.popFirst() {
            guard first == UInt8(ascii: "%") else {
                bytes.append(first)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, !digits.contains(UInt8(ascii: "+")),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
