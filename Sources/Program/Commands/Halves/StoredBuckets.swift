import MooringAWS
import MooringModel
import MooringS3

/// The buckets of an account, by their own names.
struct StoredBuckets {
    /// Sends the calls.
    let caller: any AWSCaller
    /// Where the service answers, without any bucket's name.
    let place: S3Place

    /// More pages than an account can have buckets.
    private static let pages = 1_000

    /// Every name. Throws `StoreError` where the listing is refused or cannot be read.
    func names() async throws -> [String] {
        var found: [String] = []
        var token: String?
        for _ in 0..<Self.pages {
            let document = try await page(token)
            found += (document["Buckets"]?.all("Bucket") ?? []).compactMap { $0["Name"]?.text }
            token = document["ContinuationToken"]?.text
            if token?.isEmpty ?? true { return found }
        }
        throw failure("goes on without an end")
    }

    private func page(_ token: String?) async throws -> XMLDocument {
        let request = AWSRequest(
            "ListBuckets", method: "GET", origin: place.endpoint, path: [UInt8(ascii: "/")],
            query: token.map { [.init("continuation-token", $0)] } ?? [], isRepeatable: true)
        let answer: AWSResponse
        do {
            answer = try await caller.send(request)
        } catch let failure as AWSFailure {
            throw self.failure(failure.reason)
        }
        guard answer.status == 200 else {
            let error = S3Error(call: request.call, answer)
            throw failure(
                "was refused (\(error.code))"
                    + (answer.status == 403 ? "; s3:ListAllMyBuckets on * allows it" : ""))
        }
        do {
            let document = try XMLDocument(answer.body)
            guard document.name == "ListAllMyBucketsResult" else {
                throw failure("was answered with something else")
            }
            return document
        } catch let fault as XMLScanner.Fault {
            throw failure("was answered with no XML: it \(fault.reason)")
        }
    }

    private func failure(_ reason: String) -> StoreError {
        StoreError(place: place.endpoint.text, reason: "ListBuckets \(reason)")
    }
}
