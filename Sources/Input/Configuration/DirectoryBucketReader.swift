import MooringModel
import MooringText

/// The name of a directory bucket of S3 (S3 Express One Zone): `NAME--ZONE--x-s3`.
package struct DirectoryBucketName: Hashable, Sendable {
    /// The id of its zone, which is a part of its host's name.
    package let zone: String

    /// The end of every directory bucket's name, which no other bucket's has (user guide, naming
    /// rules).
    static let end = "--x-s3"

    /// Reads a name; nil of what cannot be one.
    package init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
        }
        guard isPlain, (3...63).contains(text.utf8.count), text.hasSuffix(Self.end) else {
            return nil
        }
        let rest = text.dropLast(Self.end.utf8.count)
        guard let border = rest.ranges(of: "--").last else { return nil }
        let (name, zone) = (rest[..<border.lowerBound], rest[border.upperBound...])
        let parts = zone.split(separator: "-", omittingEmptySubsequences: false)
        guard !name.isEmpty, !name.hasPrefix("-"), parts.count > 1,
            parts.allSatisfy({ !$0.isEmpty })
        else { return nil }
        self.zone = String(zone)
    }
}

/// Reads what goes with a directory bucket, and refuses what it does not have.
struct DirectoryBucketReader {
    /// The section of `s3`, or of the bucket.
    let own: Section

    /// Says whether it is one: by its name with AWS, by `directory` anywhere.
    func complete(_ settings: inout S3Settings) {
        let isNamed = settings.isAWS && settings.bucket.hasSuffix(DirectoryBucketName.end)
        let said = own.bool("directory")
        if said == false, isNamed {
            own.report(
                "'directory' cannot be false: with AWS a name that ends in "
                    + "\(DirectoryBucketName.end) is a directory bucket's; leave it out",
                at: "directory")
        }
        settings.isDirectory = said ?? isNamed
        guard settings.isDirectory else { return }
        if settings.directoryName == nil {
            own.report(
                "'bucket' needs a directory bucket's name such as media--euw1-az1--x-s3; found "
                    + "'\(settings.bucket.printable)'", at: "bucket")
        }
        checkPlace(&settings)
        if settings.requesterPays {
            own.report(
                "'requesterPays' is nothing that a directory bucket knows; leave it out",
                at: "requesterPays")
        }
    }

    private func checkPlace(_ settings: inout S3Settings) {
        guard settings.isAWS else { return }
        if own.has("pathStyle"), settings.pathStyle {
            own.report(
                "'pathStyle' cannot be true: a directory bucket answers at a host of its own "
                    + "alone; leave it out", at: "pathStyle")
        }
        settings.pathStyle = false
        if let endpoint = settings.endpoint, !endpoint.isOfZone {
            own.report(
                "'endpoint' is a host of other buckets, and '\(settings.bucket.printable)' is a "
                    + "directory bucket; leave it out", at: "endpoint")
        }
    }

    /// Refuses what wants an order of keys, or something done in the bucket; `own` is the section
    /// of the bucket.
    func check(_ settings: S3Settings, _ mapping: BucketMapping) {
        for prefix in mapping.prefixes
        where !prefix.bytes.isEmpty && prefix.bytes.last != UInt8(ascii: "/") {
            own.report(
                "'prefixes': a directory bucket lists below folders alone, so that "
                    + "'\(prefix.text.printable)' has to end in '/'", at: "prefixes")
        }
        if settings.inventory != nil {
            own.report(
                "'inventory' beside a directory bucket is not read; write 'inventory' alone, or "
                    + "leave it out", at: "inventory")
        }
        if settings.quarantineBucket != nil {
            own.report(
                "'quarantine' in another bucket has no use: nothing is moved out of a directory "
                    + "bucket; leave it out", at: "quarantine")
        }
    }
}

extension S3Settings {
    /// The name of a directory bucket in its parts; nil where `bucket` is none.
    package var directoryName: DirectoryBucketName? {
        isDirectory ? DirectoryBucketName(bucket) : nil
    }
}

extension S3Settings.Endpoint {
    /// Whether it is a host of AWS's that directory buckets answer at.
    package var isOfZone: Bool {
        host.lowercased().split(separator: ".").contains { $0.hasPrefix("s3express-") }
    }
}
