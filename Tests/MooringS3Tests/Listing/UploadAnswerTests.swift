import MooringAWS
import MooringModel
import MooringS3
import Testing

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

@Suite("What a store without open uploads answers")
struct UploadAnswerTests {
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
    }
}
