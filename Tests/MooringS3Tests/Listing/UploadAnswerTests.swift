import MooringAWS
import MooringModel
import Testing

@testable import MooringS3

/// Answers every call with one refusal.
private struct RefusingCaller: AWSCaller {
    let status: Int
    let code: String
    var requestCounts: [String: Int] { [:] }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        AWSResponse(
            status: status, headers: [], body: Array("<Error><Code>\(code)</Code></Error>".utf8))
    }
}

/// Answers every call with one text.
private struct FixedCaller: AWSCaller {
    let text: String
    var requestCounts: [String: Int] { [:] }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        AWSResponse(status: 200, headers: [], body: Array(text.utf8))
    }
}

/// Lists uploads in an order of its own, page by page.
private struct OrderedCaller: AWSCaller {
    let uploads: [(key: String, id: String)]
    /// Begins every page at the beginning.
    var ignoresMarker = false
    var requestCounts: [String: Int] { [:] }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        let query = Dictionary(
            request.query.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) },
            uniquingKeysWith: { first, _ in first })
        let last = uploads.firstIndex {
            $0.key == query["key-marker"] && $0.id == query["upload-id-marker"]
        }
        let rest = uploads[(ignoresMarker ? 0 : last.map { $0 + 1 } ?? 0)...]
        let below = rest.filter { $0.key.hasPrefix(query["prefix"] ?? "") }
        let limit = Int(query["max-uploads"] ?? "") ?? 1_000
        let items = below.prefix(limit).map {
            "<Upload><Key>\($0.key)</Key><UploadId>\($0.id)</UploadId>"
                + "<Initiated>2026-11-21T10:00:00Z</Initiated></Upload>"
        }
        let text =
            "<ListMultipartUploadsResult><Bucket>b</Bucket><EncodingType>url</EncodingType>"
            + "<IsTruncated>\(below.count > limit)</IsTruncated>" + items.joined()
            + "</ListMultipartUploadsResult>"
        return AWSResponse(status: 200, headers: [], body: Array(text.utf8))
    }
}

@Suite("What a store answers of open uploads")
struct UploadAnswerTests {
    // By key, full stop and id, as Ceph sorts them.
    private static let uploads = [
        ("a!", "u1"), ("a-1", "u2"), ("a", "u3"), ("a", "u4"), ("a/b", "u5"), ("c", "u6"),
    ].map { (key: $0.0, id: $0.1) }

    @Test("every upload is given once, in whatever order the store has them", arguments: 1...7)
    func anyOrder(pageSize: Int) async throws {
        let listing = Listings.of(OrderedCaller(uploads: Self.uploads), pageSize: pageSize)
        var found: [OpenUpload] = []
        let result = try await listing.uploads(ListingScope()) { found += $0 }
        #expect(result.isComplete, "\(result.problems)")
        #expect(found.map(\.id) == Self.uploads.map(\.id))
        found = []
        let scope = ListingScope(
            prefixes: [Array("c".utf8), Array("a".utf8), Array("a/".utf8)],
            hiddenPrefixes: [Array("a/".utf8)], hiddenKeys: [ObjectKey("a!")])
        let part = try await listing.uploads(scope) { found += $0 }
        #expect(part.isComplete && found.map(\.id) == ["u2", "u3", "u4", "u6"])
    }

    @Test("a store that goes in circles is noticed, and the list is not complete")
    func circles() async throws {
        let caller = OrderedCaller(uploads: Self.uploads, ignoresMarker: true)
        var found: [OpenUpload] = []
        let result = try await Listings.of(caller, pageSize: 2).uploads(ListingScope()) {
            found += $0
        }
        #expect(!result.isComplete && found.map(\.id) == ["u1", "u2"] && result.requests == 2)
        #expect(result.problems.first?.reason.contains("brings nothing new") == true)
    }

    private func listing(_ status: Int, _ code: String) -> S3Listing {
        let place = S3Place(
            bucket: "b", endpoint: Origin(isSecure: false, host: "localhost"), usesPath: true)
        let caller = RefusingCaller(status: status, code: code)
        return S3Listing(
            S3Client(place: place, caller: caller), clock: { Instant(seconds: 1) })
    }

    @Test("a 404 that says so is an empty list; any other answer is no list")
    func list() async throws {
        let none = try await listing(404, "NoSuchUpload").uploads(ListingScope()) { _ in }
        #expect(none.isComplete)
        for (status, code) in [(404, "NoSuchBucket"), (403, "AccessDenied"), (404, "NoSuchKey")] {
            let result = try await listing(status, code).uploads(ListingScope()) { _ in }
            #expect(!result.isComplete, "\(code)")
        }
    }

    @Test("an upload that is gone has no parts, whichever 404 says so")
    func parts() async throws {
        let upload = OpenUpload(key: ObjectKey("k"), id: "u", begunAt: Instant(seconds: 0))
        for code in ["NoSuchUpload", "NoSuchKey"] {
            #expect(try await listing(404, code).parts(of: upload) == nil)
        }
        await #expect(throws: StoreError.self) {
            try await listing(404, "NoSuchBucket").parts(of: upload)
        }
        let denied = await #expect(throws: StoreError.self) {
            try await listing(403, "AccessDenied").parts(of: upload)
        }
        #expect(denied?.reason.contains("answered 403 AccessDenied") == true)
        #expect(denied?.hint == "it needs the permission s3:ListMultipartUploadParts")
    }

    @Test(
        "an answer that is no list of the upload's parts says why",
        arguments: [
            ("<ListPartsResult>", "the answer is no valid XML: it ends within an element"),
            ("<Other/>", "the answer is no list of its parts"),
            (
                "<ListPartsResult><UploadId>v</UploadId></ListPartsResult>",
                "the answer is no list of its parts"
            ),
            (
                "<ListPartsResult><Part><PartNumber>1</PartNumber></Part></ListPartsResult>",
                "the answer lists a part without number, size or time"
            ),
            (
                "<ListPartsResult>\(part)\(part)</ListPartsResult>",
                "the answer does not list parts in their order"
            ),
            (
                "<ListPartsResult><IsTruncated>true</IsTruncated></ListPartsResult>",
                "the answer says that there is more, and brings nothing"
            ),
        ])
    func oddParts(body: String, reason: String) async throws {
        let upload = OpenUpload(key: ObjectKey("k"), id: "u", begunAt: Instant(seconds: 0))
        let error = await #expect(throws: StoreError.self) {
            try await Listings.of(FixedCaller(text: body), pageSize: 1).parts(of: upload)
        }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    private static let part =
        "<Part><PartNumber>1</PartNumber><Size>1</Size>"
        + "<LastModified>2026-11-21T10:00:00Z</LastModified></Part>"

    @Test("a list of uploads under another prefix is no list")
    func otherKeys() async throws {
        let text =
            "<ListMultipartUploadsResult><Bucket>b</Bucket><EncodingType>url</EncodingType>"
            + "<IsTruncated>false</IsTruncated><Upload><Key>z</Key><UploadId>u</UploadId>"
            + "<Initiated>2026-11-21T10:00:00Z</Initiated></Upload></ListMultipartUploadsResult>"
        let result = try await Listings.of(FixedCaller(text: text), pageSize: 1)
            .uploads(ListingScope(prefixes: [Array("a".utf8)])) { _ in }
        #expect(
            result.problems.first?.reason.contains(
                "the answer lists other keys than it was asked for") == true)
    }
}
