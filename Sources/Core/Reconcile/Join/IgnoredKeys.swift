package import MooringModel

/// The keys of listed objects that `ignore` covers and that no record references. They are never
/// judged, but they are there: a missing reference may mean one, or hold its key inside.
///
/// So many are kept at most, in one arena; beyond that, values are looked at by the names that
/// they hold.
package struct IgnoredKeys: Sendable {
    /// How many keys are kept.
    static let limit = 1 << 18

    // A key with the number of its bucket before it.
    private var keys = ByteTable()

    /// Adds the key of an ignored object of a bucket, while there is room.
    package mutating func insert(_ key: ObjectKey, bucket: Int) {
        guard keys.count < Self.limit else { return }
        _ = keys.insert(
            [UInt8(truncatingIfNeeded: bucket >> 8), UInt8(truncatingIfNeeded: bucket)]
                + key.bytes)
    }

    /// Gives every key that was kept.
    package func each(_ receive: (_ key: ObjectKey, _ bucket: Int) -> Void) {
        for number in 0..<keys.count {
            let bytes = Array(keys.bytes(number))
            receive(ObjectKey(Array(bytes[2...])), Int(bytes[0]) << 8 | Int(bytes[1]))
        }
    }
}
