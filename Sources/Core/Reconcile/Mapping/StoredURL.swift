/// A stored value that is a URL: `scheme://host/path?query#fragment`.
package struct StoredURL: Hashable, Sendable {
    /// The host with its port and user, as it stands there.
    package let host: [UInt8]
    /// The path without the slash at its beginning, still encoded.
    package let path: [UInt8]

    // A path may begin with a bucket's name and some folders of a server.
    private static let droppedLimit = 8

    /// The URL in a value; nil when the value is none, or has no path.
    package init?(_ value: [UInt8]) {
        let slash = UInt8(ascii: "/")
        guard let colon = value.prefix(16).firstIndex(of: UInt8(ascii: ":")), colon > 0,
            value[colon...].starts(with: "://".utf8)
        else { return nil }
        let rest = value[(colon + 3)...]
        guard let start = rest.firstIndex(of: slash) else { return nil }
        let end =
            rest[start...].firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? rest.endIndex
        guard start + 1 < end else { return nil }
        host = Array(rest[..<start])
        path = Array(rest[(start + 1)..<end])
    }

    /// The path decoded, and each way in which it may be: as it stands, percent-decoded, and with
    /// plus signs as blanks; each once.
    package var decodedPaths: [[UInt8]] {
        var paths = [path]
        for plusIsBlank in [false, true] {
            let decoded = PercentCoding.decoded(path[...], plusIsBlank: plusIsBlank)
            if !paths.contains(decoded) { paths.append(decoded) }
        }
        return paths
    }

    /// Every key that the path may hold: the decoded paths, and what is left of them without their
    /// first segments, of which at most eight are dropped.
    package var keys: [[UInt8]] {
        decodedPaths.flatMap { path -> [[UInt8]] in
            var keys: [[UInt8]] = []
            var rest = path[...]
            for _ in 0...Self.droppedLimit {
                if !rest.isEmpty { keys.append(Array(rest)) }
                guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { break }
                rest = rest[(slash + 1)...]
            }
            return keys
        }
    }
}
