import MooringModel
import MooringReporting

/// A key as reports and terminals show it: in printable ASCII, with its middle left out.
struct ShortenedKey {
    private let parts: [[UInt8]]

    // What leaves more than this open could be nearly any key.
    private static let fewestBytes = 8

    /// The text as a shown key; nil where nothing in it was shortened or escaped, or hardly
    /// anything was left.
    init?(_ text: [UInt8]) {
        let dot = UInt8(ascii: ".")
        let plain = text.replacing(Array("…".utf8), with: [dot, dot, dot])
        // Dots of the key itself may stand beside those of the gap.
        var parts: [[UInt8]] = [[]]
        var rest = plain[...]
        while let byte = rest.first {
            let dots = rest.prefix { $0 == dot }.count
            if dots >= 3 { parts.append([]) } else { parts[parts.count - 1].append(byte) }
            rest = rest.dropFirst(dots >= 3 ? dots : 1)
        }
        guard parts.count > 1 || plain.contains(UInt8(ascii: "\\")),
            parts.reduce(0, { $0 + $1.count }) >= Self.fewestBytes
        else { return nil }
        self.parts = parts
    }

    /// Whether a key is shown so, with any characters in the place of each gap.
    func mayMean(_ key: ObjectKey) -> Bool {
        let shown = Array(VisibleText.ascii(key.bytes).utf8)
        guard parts.count > 1 else { return shown == parts[0] }
        let (first, last) = (parts[0], parts[parts.count - 1])
        guard shown.count > first.count + last.count, shown.starts(with: first),
            shown.suffix(last.count).elementsEqual(last)
        else { return false }
        var rest = shown[first.count..<(shown.count - last.count)]
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = rest.firstRange(of: part) else { return false }
            rest = rest[range.upperBound...]
        }
        return true
    }
}
