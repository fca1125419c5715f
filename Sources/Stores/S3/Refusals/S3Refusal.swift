package import MooringAWS
package import MooringModel

/// A refusal of S3 in words: what was found, which permission is missing, and the next step.
package struct S3Refusal: Sendable {
    /// What S3 said.
    package let error: S3Error
    /// The bucket.
    package let place: S3Place
    /// The key; nil where the call was about the bucket.
    package let key: ObjectKey?
    /// Whether the call named a version.
    package var isOfVersion = false
    /// Whether the call was to be done only where a condition holds.
    package var isConditional = false
    /// The most that the service's clock can differ from this machine's.
    package var clockDifference: Duration?

    /// A refusal of a call about a bucket or a key.
    package init(_ error: S3Error, place: S3Place, key: ObjectKey? = nil) {
        self.error = error
        self.place = place
        self.key = key
    }

    /// What was found, and what to do.
    struct Words {
        /// What was found.
        let found: String
        /// What to do; nil when there is nothing to say.
        var hint: String?
        /// Whether the service's own message says more.
        var showsMessage = false
    }

    /// The refusal as an error of the store. It names the call, the code and the service's name of
    /// the request, and holds no XML and no secret.
    package var storeError: StoreError {
        let words = words
        var facts = [error.code]
        if !error.code.hasPrefix("HTTP ") { facts.append("status \(error.status)") }
        if let id = error.requestID.flatMap(Self.plain) { facts.append("request \(id)") }
        if error.followsDoubt { facts.append("after a sending without an answer") }
        var reason = "\(error.call): \(words.found) (\(facts.joined(separator: ", ")))"
        if words.showsMessage, let message { reason += ": " + message }
        return StoreError(
            place: VisibleKey.place(place.bucket, key), reason: reason, hint: words.hint,
            isRefusal: error.isRefusal)
    }

    // A service may repeat in its message what it was sent, and headers hold signatures.
    private var message: String? {
        let text = VisibleKey.text(Array(error.message.utf8.prefix(400)))
        let lowered = text.lowercased()
        guard !text.isEmpty,
            !["signature", "token", "credential", "authorization: "].contains(where: {
                lowered.contains($0)
            })
        else { return nil }
        return text
    }

    private static func plain(_ id: String) -> String? {
        let isPlain = id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPlain && (1...64).contains(id.utf8.count) ? id : nil
    }

    /// The permissions that the call needs, in words.
    var permissions: String {
        if place.isZonal { return "s3express:CreateSession" }
        let names = S3Permission.needed(
            by: error.call, ofVersion: isOfVersion, isConditional: isConditional)
        return names.isEmpty ? "the permission for \(error.call)" : names.joined(separator: " and ")
    }
}

extension StoreError {
    /// A call to a bucket that brought no answer. It is never a refusal: where nothing was sent
    /// this time, something may have been before.
    package init(_ failure: AWSFailure, place: S3Place, key: ObjectKey? = nil) {
        self.init(
            place: VisibleKey.place(place.bucket, key),
            reason: "\(failure.call): \(failure.reason)", hint: failure.hint)
    }
}

extension S3Client {
    /// The refusal in an answer to a call, as an error of the store.
    package func storeError(_ call: S3Call, _ response: AWSResponse) -> StoreError {
        var refusal = S3Refusal(
            S3Error(call: call.name, response), place: place, key: call.key)
        refusal.isOfVersion = call.query.contains { $0.name == "versionId" }
        refusal.isConditional = call.headers.contains { $0.name == "if-match" }
        refusal.clockDifference = clockDifference
        return refusal.storeError
    }

    /// What sending a call threw, as an error of the store; nil of what is no failure of the call,
    /// such as a cancellation.
    package func storeError(_ call: S3Call, thrown error: any Error) -> StoreError? {
        (error as? AWSFailure).map { StoreError($0, place: place, key: call.key) }
    }
}
