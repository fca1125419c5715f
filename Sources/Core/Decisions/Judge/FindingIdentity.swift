import Crypto
package import MooringModel
import MooringText

/// Makes the ids of findings and the hashes of plan steps.
///
/// An id depends only on what a finding is about, so it is the same in every run: kind, bucket and
/// key bytes of object-side kinds (never the owner); source, model, record id, field and value of
/// reference-side kinds, and the bucket where a list or a path names another one than its field's.
package enum FindingIdentity {
    /// The id of a finding about an object.
    package static func object(_ kind: FindingKind, bucket: String, key: ObjectKey) -> String {
        digest([Array(kind.rawValue.utf8), Array(bucket.utf8), key.bytes])
    }

    /// The id of a finding about a reference. A field that holds several may hold one value for two
    /// buckets: `otherBucket` is the name of one that is not the field's own.
    package static func reference(
        _ kind: FindingKind, record: RecordIdentity, field: String, value: [UInt8],
        otherBucket: String? = nil
    ) -> String {
        // No field's name holds a NUL.
        let other: [UInt8] = otherBucket.map { [0] + Array($0.utf8) } ?? []
        return digest(
            [
                Array(kind.rawValue.utf8), Array(record.source.utf8), Array(record.model.utf8),
                Array(field.utf8) + other, value,
            ] + record.id.parts)
    }

    /// The id of a finding about an attribute that nobody mapped: of its source and its table.
    package static func attribute(source: String, table: String, field: String) -> String {
        let kind = FindingKind.unmappedReference.rawValue
        return digest([kind, source, table, field].map { Array($0.utf8) })
    }

    /// SHA-256 of bytes in hexadecimal.
    package static func sha256(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).withUnsafeBytes { Hexadecimal.text($0) }
    }

    // Each part is preceded by its length, so that no two lists of parts hash alike by moving
    // bytes from one part to the next. 128 bits are kept.
    private static func digest(_ parts: [[UInt8]]) -> String {
        var hasher = SHA256()
        for part in parts {
            withUnsafeBytes(of: UInt64(part.count).littleEndian) {
                hasher.update(bufferPointer: $0)
            }
            part.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        }
        return hasher.finalize().withUnsafeBytes {
            Hexadecimal.text(UnsafeRawBufferPointer(rebasing: $0.prefix(16)))
        }
    }
}

extension PlanStep {
    /// The step with the hash of its content filled in.
    package func sealed() -> PlanStep {
        var copy = self
        copy.hash = FindingIdentity.sha256(hashedContent)
        return copy
    }

    /// Whether the step is as it was when it was sealed.
    package var isIntact: Bool { hash == FindingIdentity.sha256(hashedContent) }
}
