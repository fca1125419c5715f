import MooringModel

/// What lies in the quarantine of a bucket that keeps versions, in place of a copy: which version
/// was hidden, and under which delete marker.
struct QuarantineNote: Hashable, Sendable {
    /// The metadata that tells a note from an object that was copied.
    static let header = "x-amz-meta-mooring-note"
    /// What a note says of its own form; another one is no note.
    static let schema = "mooring.note/1"
    /// No note is longer than this, in bytes; what is longer is no note.
    static let limit: Int64 = 16_384

    /// The key at which the object is hidden.
    let key: ObjectKey
    /// The hidden version, which has an id.
    let version: ObjectVersion
    /// The id of the marker that hides it; nil until that is known for certain.
    var marker: String?

    /// A note about a version that has an id; nil of any other.
    init?(key: ObjectKey, version: ObjectVersion) {
        guard version.versionID != nil else { return nil }
        self.key = key
        self.version = version
    }

    /// Whether somebody who expects this version means the noted one.
    func isAbout(_ expected: ObjectVersion) -> Bool { expected.means(version) }

    /// The hidden version's id.
    var id: String { version.versionID ?? "null" }

    /// The note as its object holds it, with a line feed at the end.
    var content: [UInt8] {
        JSONValue.members([
            "schema": .string(Self.schema), "key": .string(key.text),
            "keyBase64": key.isValidUTF8 ? nil : .string(Base64.encode(key.bytes)),
            "version": .text(version.versionID), "etag": .string(version.etag),
            "size": .integer(version.size), "lastModified": .moment(version.lastModified),
            "marker": .text(marker),
        ]).prettyRendered
    }

    /// Reads a note back; nil when the bytes are none, or one about another key.
    init?(_ content: [UInt8], key: ObjectKey) {
        do {
            let node = try JSONNode(parsing: content)
            guard try node.required("schema") == Self.schema, try node.bytes("key") == key.bytes
            else { return nil }
            self.key = key
            version = ObjectVersion(
                size: try node.wholeNumber("size"), etag: try node.required("etag"),
                lastModified: try node.moment("lastModified"),
                versionID: try node.required("version"))
            marker = node["marker"]?.string
        } catch {
            return nil
        }
    }

    /// The headers that its object is written with, beside a condition.
    static let headers: [(name: String, value: String)] = [
        ("content-type", "application/json"), (header, schema),
    ]

    /// Where the noted version lies now.
    enum State: Hashable {
        /// It is the newest: nothing hides it.
        case newest
        /// A delete marker with this id lies right above it.
        case hidden(marker: String)
        /// A newer version lies right above it.
        case covered
        /// It is not kept any more.
        case gone
    }

    /// Finds out where the noted version lies.
    func state(in stack: VersionStack) -> State {
        guard let index = stack.index(of: id) else { return .gone }
        guard index > 0, let above = stack[index - 1] else { return .newest }
        return above.isMarker ? .hidden(marker: above.id) : .covered
    }
}
