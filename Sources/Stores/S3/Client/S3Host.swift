import MooringAWS

/// A host of AWS's own S3, without any bucket's name: `s3.eu-west-1.amazonaws.com` and its kin.
package struct S3Host: Hashable, Sendable {
    private let family: String
    private let isDualStack: Bool
    private let suffix: String
    /// The region that it serves; nil of the one that serves the oldest.
    package let region: String?

    /// A host by its name; nil for everybody else's hosts, and for those of one account's network.
    package init?(_ name: String) {
        var rest = name.lowercased()[...]
        guard
            let suffix = Partition.all.map(\.suffix).first(where: { rest.hasSuffix("." + $0) })
        else { return nil }
        rest = rest.dropLast(suffix.utf8.count + 1)
        var labels = rest.split(separator: ".", omittingEmptySubsequences: false)
        let first = labels.removeFirst()
        switch first {
        case "s3", "s3-fips": family = String(first)
        case "s3-external-1" where labels.isEmpty: family = "s3"
        default:
            // The old spelling of a region: s3-eu-west-1.
            guard first.hasPrefix("s3-"), labels.isEmpty else { return nil }
            family = "s3"
            labels = [first.dropFirst(3)]
        }
        isDualStack = labels.first == "dualstack"
        if isDualStack { labels.removeFirst() }
        guard labels.count <= 1 else { return nil }
        if let label = labels.first {
            guard Self.isRegion(label) else { return nil }
            region = String(label)
        } else {
            region = nil
        }
        self.suffix = suffix
    }

    /// The name of the host of the same kind in another region; nil where that is a matter of
    /// another partition, whose credentials are others.
    package func name(in region: String) -> String? {
        guard Self.isRegion(region[...]), Partition.of(region: region).suffix == suffix
        else { return nil }
        return [family, isDualStack ? "dualstack" : nil, region, suffix]
            .compactMap { $0 }.joined(separator: ".")
    }

    /// Whether a text can be a region's name: `eu-west-1`.
    package static func isRegion(_ text: Substring) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return (3...5).contains(parts.count) && text.utf8.count <= 32
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy {
                        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0)
                    }
            }
            && parts.last?.allSatisfy { (0x30...0x39).contains($0) } == true
    }
}
