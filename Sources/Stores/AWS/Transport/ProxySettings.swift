import Glibc

/// Which proxy the way to an origin leads through, as the usual variables say.
package struct ProxySettings: Sendable {
    /// No proxy for anybody.
    package static let none = ProxySettings()

    private var secure: Proxy?
    private var plain: Proxy?
    private var exceptions: [ProxyException] = []

    private init() {}

    /// What `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` say; in small letters they come first.
    /// Throws `AWSFailure` that names a variable that is no proxy, without its value.
    package init(environment: [String: String]) throws {
        let value = { (name: String) -> (name: String, text: String)? in
            for name in [name.lowercased(), name] {
                if let text = environment[name], !text.isEmpty { return (name, text) }
            }
            return nil
        }
        let proxy = { (name: String) throws -> Proxy? in
            guard let (name, text) = value(name) else { return nil }
            guard let proxy = Proxy(text) else {
                throw AWSFailure(
                    call: "proxy", reason: "\(name) names no proxy that Mooring can use",
                    hint: "set it to http://HOST:PORT or http://USER:PASSWORD@HOST:PORT, the "
                        + "latter two percent-encoded, or unset it",
                    mayHaveHappened: false)
            }
            return proxy
        }
        secure = try proxy("HTTPS_PROXY")
        plain = try proxy("HTTP_PROXY")
        exceptions = (value("NO_PROXY")?.text ?? "")
            .split { $0 == "," || $0 == " " }.map { ProxyException($0) }
    }

    /// The proxy on the way to an origin; nil where the way is direct.
    package func proxy(for origin: Origin) -> Proxy? {
        guard let proxy = origin.isSecure ? secure : plain,
            let (host, _) = HostPort.split(origin.host[...])
        else { return nil }
        // What a machine tells about itself is for it alone, and a proxy would tell its own.
        if host.hasPrefix("169.254.") || host.lowercased().hasPrefix("fd00:ec2:") { return nil }
        let port = origin.port ?? (origin.isSecure ? 443 : 80)
        return exceptions.contains { $0.matches(host: host, port: port) } ? nil : proxy
    }
}

/// One entry of `NO_PROXY`.
struct ProxyException: Sendable {
    private enum Kind {
        case everything
        case name(String)
        case address([UInt8], bits: Int)
    }

    private let kind: Kind
    private let port: Int?

    /// An entry: `*`, a name with or without a leading dot, an address, or a range of addresses
    /// as `10.0.0.0/8`; names and addresses with or without a port.
    init(_ text: Substring) {
        let range = text.split(separator: "/", maxSplits: 1)
        let (host, port) = HostPort.split(range.first ?? "") ?? (String(text), nil)
        self.port = port
        if host == "*" {
            kind = .everything
        } else if let address = AddressBytes.of(host) {
            let width = address.count * 8
            kind = .address(
                address, bits: range.count > 1 ? min(max(Int(range[1]) ?? width, 0), width) : width)
        } else {
            kind = .name(host.drop { $0 == "." || $0 == "*" }.lowercased())
        }
    }

    /// Whether a host is excepted: by its name or a name above it, or by its address.
    func matches(host: String, port: Int) -> Bool {
        if let own = self.port, own != port { return false }
        switch kind {
        case .everything: return true
        case .name(let name):
            let host = host.lowercased()
            return !name.isEmpty && (host == name || host.hasSuffix("." + name))
        case .address(let address, let bits):
            // A name is not looked up for this: only an address can be in a range.
            guard let own = AddressBytes.of(host), own.count == address.count else {
                return false
            }
            return (0..<bits).allSatisfy { bit in
                (address[bit / 8] ^ own[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
            }
        }
    }
}

/// The bytes of an address, as names of hosts write them.
enum AddressBytes {
    /// Four bytes or sixteen; nil when the text is no address.
    static func of(_ text: String) -> [UInt8]? {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
