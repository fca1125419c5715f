import Crypto
import MooringAWS
package import MooringModel

/// One tag of an object.
struct ObjectTag: Hashable, Sendable {
    /// Its name, at most 128 characters.
    let name: String
    /// Its value, at most 256 characters.
    let value: String
}

extension BucketCalls {
    /// The call that sets all tags of an object, or of one of its versions.
    static func tagging(
        _ key: ObjectKey, _ tags: [ObjectTag], version id: String? = nil
    ) -> S3Call {
        let set = tags.map {
            "<Tag><Key>\(XMLEscape.text($0.name))</Key>"
                + "<Value>\(XMLEscape.text($0.value))</Value></Tag>"
        }
        let body = Array(
            ("<Tagging xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><TagSet>"
                + set.joined() + "</TagSet></Tagging>").utf8)
        return S3Call(
            "PutObjectTagging", method: "PUT", key: key,
            query: [AWSRequest.Parameter("tagging")]
                + (id.map { [AWSRequest.Parameter("versionId", $0)] } ?? []),
            headers: [
                ("content-type", "application/xml"),
                ("content-md5", Base64.encode(Array(Insecure.MD5.hash(data: body)))),
            ], body: body)
    }

    /// All tags of an object or of one of its versions, by name; throws when it has none since it
    /// is not there.
    func tags(of key: ObjectKey, version id: String? = nil) async throws -> [ObjectTag] {
        let call = S3Call(
            "GetObjectTagging", key: key,
            query: [AWSRequest.Parameter("tagging")]
                + (id.map { [AWSRequest.Parameter("versionId", $0)] } ?? []))
        return try Self.tags(in: try await perform(call), of: key)
    }

    /// The tags of an object; none where the store says that it knows no such question.
    func knownTags(of key: ObjectKey) async throws -> [ObjectTag] {
        var call = S3Call(
            "GetObjectTagging", key: key, query: [AWSRequest.Parameter("tagging")])
        // A store that does not see the question would send the object itself.
        call.bodyLimit = 1 << 20
        let response = try await send(call)
        if [405, 501].contains(response.status) { return [] }
        guard (200..<300).contains(response.status) else { throw refusal(call, response) }
        return try Self.tags(in: response, of: key)
    }

    private static func tags(in response: AWSResponse, of key: ObjectKey) throws -> [ObjectTag] {
        // What answers with something else knows no tags.
        guard let document = try? XMLDocument(response.body), document.name == "Tagging" else {
            throw StoreError(
                place: key.text, reason: "GetObjectTagging gave no tags", isRefusal: true)
        }
        return (document["TagSet"]?.all("Tag") ?? []).map {
            ObjectTag(name: $0["Key"]?.text ?? "", value: $0["Value"]?.text ?? "")
        }.sorted { $0.name < $1.name }
    }

    /// Sets all tags of an object or of one of its versions.
    func setTags(
        of key: ObjectKey, _ tags: [ObjectTag], version id: String? = nil
    ) async throws {
        _ = try await perform(Self.tagging(key, tags, version: id))
    }
}

extension S3Bucket: TagStore {
    /// What a lifecycle rule of the bucket looks for.
    package static let tagName = "mooring"
    // What says that there is none, and is no run's name.
    private static let offValue = "off"
    // S3's own bound.
    private static let tagLimit = 10

    /// Its objects can be tagged, where the trial shows it.
    package var tagStore: (any TagStore)? { self }

    /// Adds the tag to the version itself where versions are kept. Elsewhere it looks again
    /// afterwards, and takes the tag off what was uploaded meanwhile.
    package func tag(
        _ key: ObjectKey, expecting version: ObjectVersion, value: String
    ) async throws -> MoveOutcome {
        try await changeTags(key, expecting: version) { tags in
            guard tags.first(where: { $0.name == Self.tagName })?.value != value else { return nil }
            let others = tags.filter { $0.name != Self.tagName }
            guard others.count < Self.tagLimit else {
                throw StoreError(
                    place: key.text, reason: "it has ten tags already, and can have no more",
                    isRefusal: true)
            }
            return others + [ObjectTag(name: Self.tagName, value: value)]
        }
    }

    /// Takes the tag off where it has this value.
    package func untag(
        _ key: ObjectKey, expecting version: ObjectVersion, value: String
    ) async throws -> MoveOutcome {
        try await changeTags(key, expecting: version) { tags in
            let ours = ObjectTag(name: Self.tagName, value: value)
            return tags.contains(ours) ? tags.filter { $0 != ours } : nil
        }
    }

    /// The value of Mooring's tag; nil where it has none, or one that stands for none.
    package func tagValue(_ key: ObjectKey) async throws -> String? {
        try await proveTags(key)
        let value = try await own.tags(of: key).first { $0.name == Self.tagName }?.value
        return value == Self.offValue ? nil : value
    }

    // S3 takes an empty set for none ("Categorizing your storage using tags", in its User Guide).
    // Where a store refuses it (Ceph before 17, by its change 38532), another value is none to a
    // lifecycle rule. Nothing is sent as DELETE: who does not know ?tagging removes the object.
    private func set(
        _ tags: [ObjectTag], of key: ObjectKey, version id: String?
    ) async throws {
        do {
            try await own.setTags(of: key, tags, version: id)
        } catch let error as StoreError where tags.isEmpty {
            do {
                let off = ObjectTag(name: Self.tagName, value: Self.offValue)
                try await own.setTags(of: key, [off], version: id)
            } catch is StoreError {
                throw error
            }
        }
    }

    // A store that does not know tags overwrites the object with them.
    private func proveTags(_ key: ObjectKey) async throws {
        let tagging = try await trial.findings().capabilities.tagging
        guard !tagging.isHonoured else { return }
        throw StoreError(
            place: key.text, reason: "the store was not seen to keep tags: \(tagging)",
            hint: "choose another strategy", isRefusal: true)
    }

    private func changeTags(
        _ key: ObjectKey, expecting version: ObjectVersion,
        _ change: ([ObjectTag]) throws -> [ObjectTag]?
    ) async throws -> MoveOutcome {
        guard !OwnKey.contains(key) else {
            throw StoreError(place: key.text, reason: Self.leaseDoubt, isRefusal: true)
        }
        try await proveTags(key)
        guard let facts = try await own.facts(key) else { return .stale("there is no such object") }
        if !version.isTagged(as: facts.version),
            let difference = version.difference(to: facts.version)
        {
            return .stale(difference)
        }
        let id = facts.version.versionID
        let tags = try await own.tags(of: key, version: id)
        guard let changed = try change(tags) else { return .done }
        try await set(changed, of: key, version: id)
        do {
            guard let now = try await own.facts(key), now.version != facts.version,
                !facts.version.isTagged(as: now.version)
            else { return .done }
            // The version that was tagged is an older one now, or the tag may lie on another.
            if id == nil, try await own.tags(of: key) == changed {
                let back = changed.filter { $0.name != Self.tagName }
                try await set(back, of: key, version: nil)
            }
            return .stale(version.difference(to: now.version) ?? "changed")
        } catch let error as StoreError {
            throw error.unsettled
        }
    }
}

extension ObjectVersion {
    /// Whether two looks found one version, of which only the time may have changed: Ceph sets the
    /// time of what it tags. Without an id that is not told from an upload of the same bytes.
    fileprivate func isTagged(as other: ObjectVersion) -> Bool {
        guard let id = versionID, id == other.versionID else { return self == other }
        return size == other.size && etag == other.etag
    }
}
