import MooringModel

/// Whether a copy holds what its source holds, as far as the store tells without reading both.
struct ObjectComparison {
    private let sources: BucketCalls
    private let copies: BucketCalls

    /// A comparison of objects in one bucket with copies in another, or in the same.
    init(_ sources: BucketCalls, _ copies: BucketCalls) {
        self.sources = sources
        self.copies = copies
    }

    /// What tells the copy from its source; nil when nothing does.
    ///
    /// Sizes always count; ETags where both are made of the content alone; else the checksums of
    /// the whole content that both have.
    func difference(
        _ key: ObjectKey, _ source: ObjectFacts, _ place: ObjectKey, _ copy: ObjectFacts
    ) async throws -> String? {
        guard copy.version.size == source.version.size else {
            return "it holds \(copy.version.size) bytes, not \(source.version.size)"
        }
        if copy.version.etag == source.version.etag { return nil }
        guard !source.hasContentETag || !copy.hasContentETag else { return "its ETag is another" }
        let pairs = await checksums(key, place)
        return pairs.contains { $0 != $1 } ? "its checksum is another" : nil
    }

    /// Whether both have a checksum of the whole content, and the same.
    func isProvenEqual(_ key: ObjectKey, _ place: ObjectKey) async throws -> Bool {
        let pairs = await checksums(key, place)
        return !pairs.isEmpty && pairs.allSatisfy { $0 == $1 }
    }

    private func checksums(_ key: ObjectKey, _ place: ObjectKey) async -> [(String, String)] {
        let (theirs, ours): ([String: String]?, [String: String]?)
        do {
            theirs = try await sources.facts(key, checksums: true)?.wholeChecksums
            ours = try await copies.facts(place, checksums: true)?.wholeChecksums
        } catch {
            // Of an encrypted object they need another permission: then there are none.
            return []
        }
        guard let theirs, let ours else { return [] }
        return ours.compactMap { name, value in theirs[name].map { (value, $0) } }
    }
}
