import MooringAWS
import MooringModel
import Testing

@testable import MooringS3

/// What a listing says of pages that are none, or that can be read in several ways.
@Suite("The words of pages of a listing")
struct PageWordsTests {
    /// Answers every request with 200 and what a test makes of its prefix.
    private struct Answering: AWSCaller {
        let body: @Sendable (_ prefix: String) -> String

        var requestCounts: [String: Int] { [:] }

        func send(_ request: AWSRequest) async throws -> AWSResponse {
            let prefix = request.query.first { $0.name == "prefix" }?.value ?? []
            return AWSResponse(
                status: 200, headers: [],
                body: Array(body(String(decoding: prefix, as: UTF8.self)).utf8))
        }
    }

    private static func page(_ prefix: String, _ contents: String = "") -> String {
        "<ListBucketResult><Name>b</Name><Prefix>\(prefix)</Prefix>"
            + "<EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>\(contents)"
            + "</ListBucketResult>"
    }

    private func problem(_ body: @escaping @Sendable (String) -> String) async throws -> String {
        let (keys, result) = try await Listings.objects(Listings.of(Answering(body: body)))
        #expect(keys.isEmpty && !result.isComplete)
        return result.problems.first?.reason ?? ""
    }

    @Test("an error under 200 is told by its code")
    func error() async throws {
        let told = try await problem { _ in "<Error><Code>SlowDown</Code></Error>" }
        #expect(told.contains("answered 200 with the error SlowDown"), "\(told)")
    }

    @Test("a key that may be read in two ways, neither of which is listed, is told")
    func ambiguous() async throws {
        let object =
            "<Contents><Key>a+b</Key><LastModified>2026-11-21T10:00:00Z</LastModified>"
            + "<ETag>&quot;e&quot;</ETag><Size>1</Size></Contents>"
        let told = try await problem { Self.page($0, $0.isEmpty ? object : "") }
        #expect(
            told.contains(
                "the answer writes a key in a way that has several meanings, and the store lists "
                    + "none of them"), "\(told)")
    }
}
