import MooringAWS
import MooringModel

/// For how long a bucket keeps, by its object lock, whatever is written to it.
struct DefaultRetention: Hashable, Sendable {
    /// The time and the mode, such as `30 days (GOVERNANCE)`.
    let words: String

    /// Reads a bucket's object lock; nil where nothing is kept that does not ask for it.
    init?(_ document: XMLDocument) {
        guard document["ObjectLockEnabled"]?.text == "Enabled",
            let rule = document["Rule"]?["DefaultRetention"]
        else { return nil }
        let (mode, days, years) = (rule["Mode"]?.text, rule["Days"]?.text, rule["Years"]?.text)
        let time = days.map { "\($0) days" } ?? years.map { "\($0) years" } ?? "some time"
        words = time + (mode.map { " (\($0))" } ?? "")
    }

    /// Why nothing goes into a quarantine in such a bucket.
    func refusal(at bucket: String) -> StoreError {
        StoreError(
            place: bucket,
            reason: "its object lock keeps whatever is written for \(words): what lies in "
                + "quarantine there, and what tries the store, could not be removed",
            hint: "give the quarantine a bucket of its own without a default retention "
                + "(quarantine: {bucket: …})", isRefusal: true)
    }
}

extension BucketCalls {
    private static let attempts = 3

    /// Asks up to three times where no answer comes.
    static func asking<Value>(_ ask: () async throws -> Value) async throws -> Value {
        var failures = 0
        while true {
            do {
                return try await ask()
            } catch let error as StoreError where !error.isRefusal {
                failures += 1
                guard failures < attempts else { throw error }
            }
        }
    }

    /// The default retention; nil where there is none, and of a store that knows no object lock.
    ///
    /// A lock needs versions (user guide, Object Lock), so that a bucket that never kept any is
    /// not asked. Throws a refusal where the answer is kept from Mooring.
    func defaultRetention() async throws -> DefaultRetention? {
        guard try await versioning() != .never else { return nil }
        return try await Self.asking { try await askRetention() }
    }

    private func askRetention() async throws -> DefaultRetention? {
        let call = S3Call(
            "GetObjectLockConfiguration", query: [AWSRequest.Parameter("object-lock")])
        let response = try await send(call)
        switch response.status {
        case 200:
            // What answers with something else, as with its objects, does not know the question.
            guard let document = try? XMLDocument(response.body),
                document.name == "ObjectLockConfiguration"
            else { return nil }
            return DefaultRetention(document)
        case 404
        where S3Error(call: call.name, response).code == "ObjectLockConfigurationNotFoundError":
            return nil
        case 400..<500 where client.place.isAccessPoint, 501 where client.place.isAccessPoint:
            throw StoreError(
                place: client.place.bucket,
                reason: "it keeps versions, and whether its object lock keeps whatever is written "
                    + "is not told by an access point (\(response.status)), so that nothing is "
                    + "written to try it",
                hint: "write the bucket's own name under s3: to change anything in it; an audit "
                    + "needs none of this", isRefusal: true)
        case 403:
            throw StoreError(
                place: client.place.bucket,
                reason: "whether its object lock keeps whatever is written is not told (403), so "
                    + "that nothing is written to try it",
                hint: "allow s3:GetBucketObjectLockConfiguration (mooring iam-policy)",
                isRefusal: true)
        case 400..<500, 501: return nil
        default: throw refusal(call, response)
        }
    }
}
