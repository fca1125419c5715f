package import MooringModel

/// Who is told of the beginning and the end of runs, and how. None of it decides what a run does:
/// a notice that nobody takes changes nothing, so it is no part of the fingerprint.
package struct NotifySettings: Hashable, Sendable {
    /// The commands whose runs are told of; `run` alone by default.
    package var commands: [String] = ["run"]
    /// A monitor of cron jobs; nil for none.
    package var ping: Ping?
    /// A program behind a URL; nil for none.
    package var webhook: Webhook?
    /// People; nil for none.
    package var mail: Mail?

    /// Nobody.
    package init() {}

    /// A monitor that alarms when a job does not report in time.
    package enum Ping: Hashable, Sendable {
        /// One address, below which `/start`, `/log` and the exit status stand.
        case base(WebAddress)
        /// An address for each event; nil where it is not told.
        case each(start: WebAddress?, success: WebAddress?, failure: WebAddress?)
    }

    /// A POST of the run's sums, signed where there is a secret.
    package struct Webhook: Hashable, Sendable {
        /// Where to.
        package var address: WebAddress
        /// What the receiver knows too; nil for a POST without a signature. Never shown.
        package var secret: String?
        /// When.
        package var occasion: NoticeOccasion

        /// A webhook.
        package init(address: WebAddress, secret: String?, occasion: NoticeOccasion) {
            self.address = address
            self.secret = secret
            self.occasion = occasion
        }
    }

    /// A message that a program of the machine sends.
    package struct Mail: Hashable, Sendable {
        /// Who gets it, as a header holds it: printable ASCII.
        package var to: String
        /// Who it is from; nil for whoever the program says.
        package var from: String?
        /// The program by its absolute path, and its arguments: it reads the whole message, with
        /// its headers, from its input.
        package var command: [String]
        /// When.
        package var occasion: NoticeOccasion

        /// What most machines that send mail have.
        package static let sendmail = ["/usr/sbin/sendmail", "-t", "-i"]

        /// A message.
        package init(to: String, from: String?, command: [String], occasion: NoticeOccasion) {
            self.to = to
            self.from = from
            self.command = command
            self.occasion = occasion
        }
    }
}

/// An address of HTTP whose path may be a secret, as those of monitors are.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// Scheme, host and port.
    package let endpoint: S3Settings.Endpoint
    /// The path with its leading slash, decoded; empty where there is none.
    package let path: [UInt8]
    /// The parameters behind the question mark, decoded, in their order.
    package let query: [Parameter]

    /// A parameter.
    package struct Parameter: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// Its value; empty without one.
        package let value: String
    }

    /// An address of `http` or `https`, without a user, a password and a fragment; nil for any
    /// other text.
    package init?(_ url: String) {
        guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }),
            let scheme = url.firstRange(of: "://")
        else { return nil }
        let rest = url[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard let endpoint = S3Settings.Endpoint(url: String(url[..<end])) else { return nil }
        let parts = rest[end...].split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = Self.decoded(parts[0]) else { return nil }
        var query: [Parameter] = []
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(sides[0]),
                let value = Self.decoded(sides.dropFirst().first ?? "")
            else { return nil }
            query.append(
                Parameter(
                    name: String(decoding: name, as: UTF8.self),
                    value: String(decoding: value, as: UTF8.self)))
        }
        self.endpoint = endpoint
        self.path = path
        self.query = query
    }

    /// The address with one more part of its path.
    package func below(_ part: String) -> WebAddress {
        let parent = path.last == UInt8(ascii: "/") ? path.dropLast() : path[...]
        return WebAddress(
            endpoint: endpoint, path: parent + [UInt8(ascii: "/")] + Array(part.utf8), query: query)
    }

    private init(endpoint: S3Settings.Endpoint, path: [UInt8], query: [Parameter]) {
        self.endpoint = endpoint
        self.path = path
        self.query = query
    }

    /// The host, and nothing that might be a secret.
    package var description: String { endpoint.host }

    // Nil where a percent sign is followed by no byte.
    private static func decoded(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            // A slash within a part could not be told from one between two.
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
                let value = UInt8(digits, radix: 16), value != UInt8(ascii: "/")
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
