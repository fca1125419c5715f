import MooringAWS
import MooringModel

/// Sees on a small object whether a bucket keeps versions, which it may say and not do.
struct VersionTrial: Sendable {
    /// Where the object lies in a bucket whose quarantine is another one.
    static let folder = Array(".mooring/".utf8)
    /// How the keys of such objects begin there.
    static let elsewhere = folder + CapabilityTrial.prefix

    /// Calls to the bucket that is tried.
    let calls: BucketCalls
    /// The object, which whoever makes the trial removes.
    let key: ObjectKey

    /// What the bucket was seen to do in place of keeping versions; nil where it keeps them. Under
    /// a default retention nothing is tried, so that nothing is believed.
    func doubt(under retention: DefaultRetention?) async throws -> String? {
        if let retention {
            return "its object lock keeps whatever is written for \(retention.words), so that it "
                + "was not tried"
        }
        for content in [CapabilityTrial.first, CapabilityTrial.second] {
            _ = try await calls.perform(
                S3Call("PutObject", method: "PUT", key: key, body: content))
        }
        let written = try await calls.stack(of: key).entries
        let ids = Set(written.prefix(2).map(\.id))
        guard ids.count == 2, !ids.contains("null"), !written.prefix(2).contains(where: \.isMarker)
        else { return "two writes to one key did not leave two versions" }
        let response = try await calls.delete(key)
        guard (200..<300).contains(response.status) else {
            throw calls.refusal(BucketCalls.deletion(key), response)
        }
        let left = try await calls.stack(of: key).entries
        guard let marker = left.first, marker.isMarker, marker.id != "null",
            left.dropFirst().elementsEqual(written)
        else { return "a DELETE did not leave a delete marker above the version" }
        return nil
    }
}
