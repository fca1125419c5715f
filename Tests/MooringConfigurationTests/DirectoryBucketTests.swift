import MooringConfiguration
import MooringModel
import Testing

@Suite("A directory bucket of S3")
struct DirectoryBucketTests {
    private static let name = "media--euw1-az1--x-s3"
    private static let own = "endpoint: 'http://127.0.0.1:9000'"

    private static func bucket(_ keys: String, _ more: String = "") -> String {
        Sample.replacing("directory: ./files", "s3: {\(keys)}" + more)
    }

    private func settings(_ keys: String, _ more: String = "") throws -> S3Settings? {
        guard case .s3(let settings) = try Sample.read(Self.bucket(keys, more)).buckets[0].store
        else { return nil }
        return settings
    }

    @Test("with AWS its name says what it is, and in which zone")
    func names() throws {
        let named = try #require(try settings("bucket: \(Self.name), region: eu-west-1"))
        #expect(named.isDirectory && named.directoryName?.zone == "euw1-az1")
        #expect(!named.pathStyle && named.storeName == Self.name && !named.isAccessPoint)
        let local = try settings("bucket: a--b--usw2-lax1-az1--x-s3")
        #expect(local?.directoryName?.zone == "usw2-lax1-az1")
        let network = try settings(
            "bucket: \(Self.name), endpoint: 'https://vpce-1.s3express-euw1-az1.eu-west-1.vpce."
                + "amazonaws.com'")
        #expect(network?.isDirectory == true && network?.pathStyle == false)
        #expect(try settings("bucket: media")?.isDirectory == false)
    }

    @Test("elsewhere it is one where somebody says so, and a bucket like any other where not")
    func elsewhere() throws {
        let said = try #require(
            try settings("bucket: \(Self.name), directory: true, \(Self.own)"))
        #expect(said.isDirectory && said.pathStyle)
        #expect(try settings("bucket: \(Self.name), \(Self.own)")?.isDirectory == false)
        let plain = try Sample.read(Self.bucket("bucket: \(Self.name), \(Self.own)"))
        let directory = try Sample.read(
            Self.bucket("bucket: \(Self.name), directory: true, \(Self.own)"))
        #expect(plain.fingerprint != directory.fingerprint)
    }

    @Test(
        "what cannot be the name of one is refused",
        arguments: [
            "a--x-s3", "--euw1-az1--x-s3", "a--euw1--x-s3", "a--euw1-az1-x-s3", "A--euw1-az1--x-s3",
            "a--euw1-az1.evil--x-s3", "a----x-s3", "a--euw1---x-s3", "a--euw1_az1--x-s3", "media",
        ])
    func oddNames(name: String) {
        let told = Sample.refusal(Self.bucket("bucket: \(name), directory: true, \(Self.own)"))
        #expect(told.contains("'bucket' needs a directory bucket's name such as"), "\(told)")
    }

    @Test(
        "what it does not have is refused with what to write instead",
        arguments: [
            ("directory: false", "", "'directory' cannot be false"),
            ("pathStyle: true", "", "'pathStyle' cannot be true"),
            ("requesterPays: true", "", "'requesterPays' is nothing that a directory bucket"),
            (
                "endpoint: 'https://s3.eu-west-1.amazonaws.com'", "",
                "is a host of other buckets, and 'media--euw1-az1--x-s3' is a directory bucket"
            ),
            ("bucketName: a", "", "'bucketName' belongs to an access point"),
            (
                "concurrency: 2", "\n    prefixes: [a/, b]",
                "'prefixes': a directory bucket lists below folders alone, so that 'b' has to end"
            ),
            (
                "concurrency: 2", "\n    inventory: ./manifest.json",
                "'inventory' beside a directory bucket is not read"
            ),
            (
                "concurrency: 2", "\n    quarantine: {bucket: other, prefix: q}",
                "'quarantine' in another bucket has no use"
            ),
        ])
    func unfitting(keys: String, more: String, words: String) {
        let told = Sample.refusal(Self.bucket("bucket: \(Self.name), \(keys)", more))
        #expect(told.contains(words), "\(told)")
    }

    @Test("none takes what is removed from another bucket")
    func quarantine() {
        let told = Sample.refusal(
            Self.bucket("bucket: b", "\n    quarantine: {bucket: '\(Self.name)', prefix: q}"))
        #expect(told.contains("is a directory bucket, which takes no file of Mooring's"))
    }

    @Test("an access point leads to none that is read here")
    func accessPoints() {
        let point = "arn:aws:s3:eu-west-1:123456789012:accesspoint/night"
        let twin = "\n  - {name: twin, s3: {bucket: '\(point)'}}"
        #expect(Sample.refusal(Self.bucket("bucket: \(Self.name)", twin)) == "accepted")
        let same = "\n  - {name: twin, s3: {bucket: \(Self.name)}}"
        #expect(
            Sample.refusal(Self.bucket("bucket: \(Self.name)", same))
                .contains("in the store's bucket of bucket 'media' too"))
    }
}
