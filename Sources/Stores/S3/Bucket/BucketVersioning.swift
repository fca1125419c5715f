import MooringModel

/// What a bucket says of its versions.
struct BucketVersioning: Hashable, Sendable {
    /// Whether it says that it keeps versions.
    var state = StoreCapabilities.Versioning.never
    /// The keys of which no versions are kept.
    var exceptions: [UnversionedKeys] = []

    /// A bucket that says nothing.
    init() {}

    /// Reads the answer to GetBucketVersioning; of what is no such answer, a bucket that says
    /// nothing. MinIO excludes keys by prefix, and those of folders, which end with a slash.
    init(_ body: [UInt8]) {
        // What is no XML says nothing.
        guard let document = try? XMLDocument(body) else { return }
        switch document["Status"]?.text {
        case "Enabled": state = .enabled
        case "Suspended": state = .suspended
        default: return
        }
        exceptions = document.all("ExcludedPrefixes").flatMap { $0.all("Prefix") }
            .map { UnversionedKeys($0.text + "*") }
        if document["ExcludeFolders"]?.text.lowercased() == "true" {
            exceptions.append(UnversionedKeys("*/"))
        }
    }
}
