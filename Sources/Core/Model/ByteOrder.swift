/// The order of bytes, in which S3 lists keys; looked at by eight, since the keys of one folder
/// begin alike.
extension Array where Element == UInt8 {
    /// Whether these bytes come before others; a beginning comes before what it begins.
    package func precedes(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                let shared = Swift.min(left.count, right.count)
                let index = Self.firstDifference(left, right, shared)
                return index < shared ? left[index] < right[index] : left.count < right.count
            }
        }
    }

    /// Whether these bytes begin with others.
    package func begins(with prefix: [UInt8]) -> Bool {
        guard count >= prefix.count else { return false }
        return withUnsafeBytes { all in
            prefix.withUnsafeBytes { Self.firstDifference(all, $0, $0.count) == $0.count }
        }
    }

    /// How many bytes these have in common with the beginning of others, of the first `limit`.
    func shared(with other: [UInt8], upTo limit: Int) -> Int {
        withUnsafeBytes { left in
            other.withUnsafeBytes {
                Self.firstDifference(left, $0, Swift.min(left.count, $0.count, limit))
            }
        }
    }

    // The first place, of so many that both have, where two differ; their number where none does.
    private static func firstDifference(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ count: Int
    ) -> Int {
        var index = 0
        while index + 8 <= count,
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        { index += 8 }
        while index < count, left[index] == right[index] { index += 1 }
        return index
    }
}
