/// A key as a rewrite of its letters leaves it: ASCII letters in lower case, digits, dots and
/// slashes stay, other ASCII is dropped, and a mark stands for each letter that another code page
/// lacks, spells otherwise or replaces.
///
/// Of bytes that are no UTF-8 a mark stands for each above 0x7F. What programs write in place of a
/// letter counts as one: `?`, and `#U00e9` as Info-ZIP's unzip does.
struct NameShape: Hashable {
    /// Stands for a foreign letter; no byte of UTF-8.
    static let mark: UInt8 = 0xFF

    /// The shape.
    let bytes: [UInt8]
    /// How many foreign letters there are.
    let foreign: Int
    /// Whether its bytes are no UTF-8.
    let isRaw: Bool
    /// Where its foreign letters come from, in wide classes; what replaced one is of its own class.
    let writings: Set<UInt32>

    private static let replaced: UInt32 = 0
    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    /// The shape of a key. With `blanks`, each `_` counts as a foreign letter that was replaced.
    init(_ key: [UInt8], blanks: Bool = false) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(key.count)
        var writings: Set<UInt32> = []
        var place = 0
        let text =
            key.contains(where: { $0 >= 0x80 }) ? String(validating: key, as: UTF8.self) : nil
        isRaw = text == nil && key.contains { $0 >= 0x80 }
        while place < key.count {
            let byte = key[place]
            place += 1
            if byte >= 0x80 {
                // Of a letter in UTF-8 its first byte alone counts.
                if isRaw || byte >= 0xC0 { bytes.append(Self.mark) }
            } else if byte == UInt8(ascii: "?") || blanks && byte == UInt8(ascii: "_") {
                bytes.append(Self.mark)
                writings.insert(Self.replaced)
            } else if byte == UInt8(ascii: "#"), let length = Self.escape(in: key[place...]) {
                bytes.append(Self.mark)
                writings.insert(Self.replaced)
                place += length
            } else if Self.stays(byte) {
                bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            }
        }
        for scalar in text?.unicodeScalars ?? "".unicodeScalars where scalar.value >= 0x80 {
            writings.insert(Self.writing(scalar.value))
        }
        self.bytes = bytes
        self.writings = writings
        foreign = bytes.count { $0 == Self.mark }
    }

    /// How many ASCII letters and digits it has beside the name's ending, from the part of the path
    /// on that holds the first mark.
    var letters: Int {
        guard let first = bytes.firstIndex(of: Self.mark) else { return bytes.count }
        let start = bytes[..<first].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        let name = bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        let end = bytes[name...].lastIndex(of: Self.dot) ?? bytes.count
        return bytes[start..<max(start, end)].count { Self.isLetter($0) }
    }

    /// Whether the other shape may be this one with its foreign letters rewritten: each to some
    /// others, or to none, and all else as it is.
    func mayBecome(_ other: NameShape) -> Bool {
        guard foreign > 0, other.bytes.count <= bytes.count + foreign * 6,
            bytes.count(where: { $0 == Self.slash })
                == other.bytes.count(where: { $0 == Self.slash })
        else { return false }
        let runs = bytes.split(separator: Self.mark, omittingEmptySubsequences: false)
        guard let head = runs.first, let tail = runs.last,
            other.bytes.count >= head.count + tail.count,
            other.bytes.starts(with: head), other.bytes.suffix(tail.count).elementsEqual(tail)
        else { return false }
        var rest = other.bytes[head.count..<(other.bytes.count - tail.count)]
        for run in runs.dropFirst().dropLast() where !run.isEmpty {
            guard let found = Self.first(run, in: rest) else { return false }
            rest = rest[(found + run.count)...]
        }
        return true
    }

    /// Whether the other one's foreign letters are no other word in the same writing: bytes that
    /// are no UTF-8, letters from elsewhere, or twice as many, as a wrong code page makes them.
    func isOtherWriting(_ other: NameShape) -> Bool {
        other.isRaw || other.foreign >= 2 * foreign || !other.writings.isSubset(of: writings)
    }

    private static func stays(_ byte: UInt8) -> Bool {
        byte == slash || byte == dot || isLetter(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) && byte < 0x80
    }

    // The bytes behind a number sign by which unzip spells a letter: `U` with four digits, `L`
    // with six.
    private static func escape(in rest: ArraySlice<UInt8>) -> Int? {
        let digits: Int
        switch rest.first {
        case UInt8(ascii: "U"): digits = 4
        case UInt8(ascii: "L"): digits = 6
        default: return nil
        }
        let code = rest.dropFirst().prefix(digits)
        let isCode =
            code.count == digits
            && code.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
        return isCode ? digits + 1 : nil
    }

    // Latin letters, symbols, the writings of East Asia, and each other block of 256.
    private static func writing(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case ..<0x250: 1
        case 0x2000..<0x2C00: 2
        case 0x2E80..<0xFFF0, 0x20000...: 3
        default: 0x100 + scalar >> 8
        }
    }

    private static func first(_ run: ArraySlice<UInt8>, in bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.count >= run.count else { return nil }
        return (bytes.startIndex...(bytes.endIndex - run.count)).first {
            bytes[$0...].starts(with: run)
        }
    }
}
