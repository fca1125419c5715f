import MooringText

/// What tells a bucket from another one that its name may stand for one day: a small object with a
/// random id, which every ledger that works with the bucket knows.
package struct StoreMarker: Hashable, Sendable {
    /// Where it lies in every bucket, beside the lease: never an object of the app.
    package static let key = ObjectKey(".mooring/store")

    /// A random id, which the bucket has for good.
    package let id: String

    private static let schema = "mooring.store/1"

    /// A marker with this id.
    package init(id: String) { self.id = id }

    /// A marker with a new id, of 128 random bits.
    package static func new() -> StoreMarker {
        let halves = [UInt64.random(in: 0...UInt64.max), UInt64.random(in: 0...UInt64.max)]
        return StoreMarker(
            id: halves.map { half in
                withUnsafeBytes(of: half.bigEndian) { Hexadecimal.text($0) }
            }.joined())
    }

    /// The marker as its object holds it, with a line feed at the end.
    package var content: [UInt8] {
        JSONValue.members(["schema": .string(Self.schema), "id": .string(id)]).prettyRendered
    }

    /// Reads a marker back; nil when the bytes are none, or one of a later form.
    package init?(_ content: [UInt8]) {
        do {
            let node = try JSONNode(parsing: content)
            let id: String = try node.required("id")
            guard try node.required("schema") == Self.schema, !id.isEmpty else { return nil }
            self.id = id
        } catch {
            return nil
        }
    }
}

/// The keys of Mooring's own small objects: none is ever an object of the app.
package enum OwnKey {
    /// The keys of lease and marker, the same in every bucket.
    package static let all: Set<ObjectKey> = [Lease.key, StoreMarker.key]

    /// Whether a key is one of them.
    package static func contains(_ key: ObjectKey) -> Bool {
        key == Lease.key || key == StoreMarker.key
    }

    /// Whether a key ends as one of them does, below a folder: it is that of a bucket which lies
    /// there.
    package static func endsKey(_ key: ObjectKey) -> Bool {
        all.contains { own in
            let count = own.bytes.count
            return key.bytes.count > count + 1 && key.bytes.suffix(count).elementsEqual(own.bytes)
                && key.bytes[key.bytes.count - count - 1] == UInt8(ascii: "/")
        }
    }
}

/// A store's marker, as it is read.
///
/// Each throws `StoreError` when it cannot tell.
package protocol MarkerReader: Sendable {
    /// Where the store is: what tells it from a copy that holds the same marker.
    var markerPlace: String { get }

    /// What a store keeps while it is moved as a whole, and a copy of it has not, as one text; nil
    /// where nothing tells, or there is no marker.
    func markerTrace() async throws -> String?

    /// The bytes of the marker that is there now; nil only when the store says that there is none.
    func readMarker() async throws -> [UInt8]?

    /// Whether this store is a copy of the one that had the same marker at a place, which may be
    /// this one, with this trace there, where it is known.
    func isCopy(of place: String, trace: String?) async -> Bool
}

/// What a store must be able to do to be given a marker.
package protocol MarkerStore: MarkerReader {
    /// Writes a marker where there is none. One that is there stays, and is no error. Throws
    /// `StoreError` when it cannot.
    func createMarker(_ content: [UInt8]) async throws
}

extension MarkerReader {
    /// What has an address of its own needs no other trace.
    package func markerTrace() async throws -> String? { nil }
}

/// What tells a source of records from another one that its name may stand for one day.
package struct SourceIdentity: Hashable, Sendable {
    /// Ids that the store itself gave, by what they belong to, such as a table's name.
    package var parts: [String: String]
    /// What could not be read, one sentence each.
    package var unread: [String]
    /// The parts that are meant by it; nil where it may be any.
    package var unreadParts: Set<String>?

    /// An identity; by default nothing tells the source from another.
    package init(
        parts: [String: String] = [:], unread: [String] = [], unreadParts: Set<String>? = nil
    ) {
        self.parts = parts
        self.unread = unread
        self.unreadParts = unreadParts
    }
}

extension RecordSource {
    /// A file has no id that a restored backup would keep.
    package func identity() async throws -> SourceIdentity { SourceIdentity() }
}
