package import MooringModel

/// Reads a bucket's `derived` patterns: from an object to what it was made from, and to what is
/// made of it.
package enum DerivedKey {
    /// The keys of the objects from which an object of this key may have been made.
    package static func sources(of key: ObjectKey, patterns: [String]) -> [ObjectKey] {
        patterns.compactMap { pattern in
            let bytes = Array(pattern.utf8)
            let token = Array("{key}".utf8)
            guard
                let place = bytes.indices.first(where: { bytes[$0...].starts(with: token) })
            else { return nil }
            let head = bytes[..<place]
            let tail = bytes[(place + token.count)...]
            let key = key.bytes
            guard key.count > head.count + tail.count, key.starts(with: head),
                key.suffix(tail.count).elementsEqual(tail)
            else { return nil }
            return ObjectKey(Array(key[head.count..<(key.count - tail.count)]))
        }
    }

    /// The keys of the objects that may be made from the one of this key.
    package static func products(of key: ObjectKey, patterns: [String]) -> [ObjectKey] {
        patterns.compactMap { pattern in
            let parts = pattern.split(
                separator: "{key}", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            return ObjectKey(Array(parts[0].utf8) + key.bytes + Array(parts[1].utf8))
        }
    }
}
