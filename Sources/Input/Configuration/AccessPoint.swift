/// An access point of one bucket of S3, by its name in full: a name that leads to a bucket without
/// telling which.
package struct AccessPoint: Hashable, Sendable {
    /// The part of AWS that it is in: `aws`, `aws-cn`.
    package let partition: String
    /// Its region, which is that of its bucket.
    package let region: String
    /// The account that it belongs to, twelve digits; the bucket may be another's.
    package let account: String
    /// Its own name in that account and region.
    package let name: String

    /// The name in full, by which policies call it.
    package var arn: String { "arn:\(partition):s3:\(region):\(account):accesspoint/\(name)" }
    /// What stands before the host of its region, since the path never names it.
    package var hostLabel: String { "\(name)-\(account)" }
}

/// What a text under `s3: bucket` names.
enum BucketAddress: Hashable {
    /// A bucket by its own name, or by an access point's alias, which is used like one.
    case name(String)
    /// An access point.
    case accessPoint(AccessPoint)
    /// What has the end of a directory bucket's name.
    case directory(String)
    /// A thing of AWS that is no bucket Mooring can work on: what it is, and what to write instead.
    case refused(String)
    /// Nothing that could be meant.
    case none

    /// Reads a text; `isAWS` where AWS is asked for it, which keeps some endings of names.
    init(_ text: String, isAWS: Bool) {
        if text.hasPrefix("arn:") {
            self = Self.resource(text)
        } else if isAWS, text.hasSuffix(DirectoryBucketName.end) {
            self = S3Reader.isBucketName(text) ? .directory(text) : .none
        } else if isAWS, let refusal = Self.refusal(ofName: text) {
            self = .refused(refusal)
        } else {
            self = S3Reader.isBucketName(text) ? .name(text) : .none
        }
    }

    /// The end of every access point's alias, which no bucket's name has (user guide, access point
    /// aliases).
    static let aliasEnd = "-s3alias"
    // That of an access point of something else than a bucket, whose names in full look as others
    // do.
    private static let foreignEnd = "-ext-s3alias"

    // The endings are kept by S3's naming rules for buckets (user guide, bucket naming rules).
    private static func refusal(ofName text: String) -> String? {
        if text.hasSuffix("--xa-s3") { return directoryPoint }
        if text.hasSuffix("--ol-s3") { return objectLambda }
        if text.hasSuffix("--op-s3") { return outpost }
        if text.hasSuffix(".mrap") { return multiRegion }
        if text.hasSuffix(foreignEnd) { return foreign }
        if text.hasSuffix("--table-s3") {
            return "is a table bucket, which holds tables and no files; write the bucket of the "
                + "files"
        }
        return nil
    }

    private static func resource(_ text: String) -> BucketAddress {
        let parts = text.split(
            separator: ":", maxSplits: 5, omittingEmptySubsequences: false
        ).map(String.init)
        guard parts.count == 6, parts[1].hasPrefix("aws"), isWord(parts[1]) else { return .none }
        switch parts[2] {
        case "s3": break
        case "s3express": return .refused(expressResource(parts[5]))
        case "s3-object-lambda": return .refused(objectLambda)
        case "s3-outposts": return .refused(outpost)
        default: return .none
        }
        let (region, account, resource) = (parts[3], parts[4], parts[5])
        if region.isEmpty, account.isEmpty, S3Reader.isBucketName(resource) {
            return .refused("is a bucket's name in full; write its own name alone: \(resource)")
        }
        let kind = "accesspoint"
        guard resource.hasPrefix(kind + "/") || resource.hasPrefix(kind + ":") else { return .none }
        let name = String(resource.dropFirst(kind.utf8.count + 1))
        if region.isEmpty { return .refused(multiRegion) }
        let isAccount =
            account.utf8.count == 12 && account.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard isWord(region), isAccount, isName(name) else { return .none }
        return .accessPoint(
            AccessPoint(partition: parts[1], region: region, account: account, name: name))
    }

    private static func expressResource(_ resource: String) -> String {
        guard resource.hasPrefix("bucket/") else { return directoryPoint }
        return "is a directory bucket's name in full; write its own name alone: "
            + resource.dropFirst("bucket/".utf8.count)
    }

    // The user guide's naming rules for access points.
    private static func isName(_ text: String) -> Bool {
        (3...50).contains(text.utf8.count) && isWord(text) && !text.hasPrefix("-")
            && !text.hasSuffix("-") && !text.hasSuffix(aliasEnd)
    }

    private static func isWord(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
            }
    }

    private static let multiRegion =
        "is a Multi-Region Access Point: its requests want signatures (SigV4A) that Mooring does "
        + "not make, and any of its buckets may answer; write one bucket's own name, or an access "
        + "point of one region"
    private static let objectLambda =
        "is an Object Lambda Access Point, which shows what a function makes of the files; write "
        + "the bucket's own name, or the access point behind it"
    private static let foreign =
        "is an access point of a volume of FSx or of a recovery point of AWS Backup, and of no "
        + "bucket, so that files behind it are not judged; write the bucket of the files"
    private static let outpost =
        "belongs to S3 on Outposts, which Mooring does not reach; write a saved listing of it "
        + "(listing:), for findings only"
    private static let directoryPoint =
        "is an access point of a directory bucket (S3 Express One Zone), by which Mooring does not "
        + "ask; write the directory bucket's own name (NAME--ZONE--x-s3), for findings only"
}
