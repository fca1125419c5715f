import MooringDecisions
import MooringModel

/// Guesses how an app makes keys from records.
struct TemplateGuess {
    /// The template.
    let template: KeyTemplate
    /// How many of the keys it names the right owner of.
    let fitting: Int

    /// A template that most keys fit; nil when fewer than nine in ten fit any.
    init?(_ pairs: [(id: [UInt8], key: [UInt8])]) {
        var counts: [String: Int] = [:]
        for (id, key) in pairs {
            for pattern in Self.patterns(of: key, id: id) { counts[pattern, default: 0] += 1 }
        }
        // A pattern without a wildcard says more, as long as most keys fit it.
        let common = counts.filter { $0.value * 10 >= pairs.count * 9 }
        let best = common.min { one, other in
            (one.key.contains("{*}") ? 1 : 0, -one.value, one.key)
                < (other.key.contains("{*}") ? 1 : 0, -other.value, other.key)
        }
        guard let best, let template = KeyTemplate(best.key) else { return nil }
        fitting = pairs.count { template.identifiers(in: $0.key).contains($0.id) }
        guard fitting * 10 >= pairs.count * 9 else { return nil }
        self.template = template
    }

    // The exact pattern of a key, and the one that leaves open what follows the identifier.
    private static func patterns(of key: [UInt8], id: [UInt8]) -> [String] {
        guard let place = place(of: id, in: key),
            let head = String(validating: key[..<place], as: UTF8.self), !head.contains("{"),
            !head.contains("}")
        else { return [] }
        let tail = key[(place + id.count)...]
        let open = head + "{id}{*}"
        guard !tail.isEmpty else { return [head + "{id}", open] }
        guard let text = pattern(ofTail: tail) else { return [open] }
        return [head + "{id}" + text, open]
    }

    private static func pattern(ofTail tail: ArraySlice<UInt8>) -> String? {
        let wildcard = KeyTemplate("{uuid}{*}")
        for start in tail.indices.prefix(2) {
            guard let wildcard, !wildcard.identifiers(in: Array(tail[start...])).isEmpty else {
                continue
            }
            let length = tail[start...].dropFirst(8).first == UInt8(ascii: "-") ? 36 : 32
            return literal(tail[..<start]).flatMap { before in
                literal(tail[(start + length)...]).map { before + "{uuid}" + $0 }
            }
        }
        return literal(tail)
    }

    // Only an extension and separators are the same in every key; other text differs.
    private static func literal(_ bytes: ArraySlice<UInt8>) -> String? {
        let isPlain = bytes.allSatisfy { isWord($0) || "._-/".utf8.contains($0) }
        return bytes.count <= 16 && isPlain ? String(decoding: bytes, as: UTF8.self) : nil
    }

    // An identifier stands between separators: `1` is not the owner of `2021.png`.
    private static func place(of id: [UInt8], in key: [UInt8]) -> Int? {
        guard !id.isEmpty, id.count <= key.count else { return nil }
        return (0...(key.count - id.count)).first { start in
            let end = start + id.count
            return key[start...].starts(with: id)
                && (start == 0 || !isWord(key[start - 1]))
                && (end == key.count || !isWord(key[end]))
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
            || (0x61...0x7A).contains(byte) || byte >= 0x80
    }
}
