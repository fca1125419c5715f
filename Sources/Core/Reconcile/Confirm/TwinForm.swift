import MooringModel

/// Keys that differ only by Unicode form, percent-encoding or case: a reference and an object that
/// are twins protect one another.
///
/// It errs to calling keys twins: percent-encoding is taken off several times, and a plus is a
/// blank. Compatibility forms stay apart, as a superscript and its digit. Of bytes that are not
/// UTF-8 only percent-encoding and the case of ASCII letters are evened out.
struct TwinForm: Hashable {
    // `String` compares and hashes by canonical equivalence. Nil where the bytes are not UTF-8.
    private let text: String?
    private let bytes: [UInt8]

    private static let rounds = 4

    /// The form that all twins of a key share.
    init(_ key: [UInt8]) {
        var decoded = key
        for _ in 0..<Self.rounds where decoded.contains(UInt8(ascii: "%")) {
            decoded = PercentCoding.decoded(decoded[...], plusIsBlank: false)
        }
        for index in decoded.indices where decoded[index] == UInt8(ascii: "+") {
            decoded[index] = 0x20
        }
        if decoded.allSatisfy({ $0 < 0x80 }) {
            for index in decoded.indices { decoded[index] = Self.lowercased(decoded[index]) }
            (text, bytes) = (String(decoding: decoded, as: UTF8.self), [])
            return
        }
        // Upper case first: some letters have one upper form for several lower ones.
        text = String(validating: decoded, as: UTF8.self)?.uppercased().lowercased()
        bytes = text == nil ? decoded.map(Self.lowercased) : []
    }

    /// Its bytes.
    var content: [UInt8] { text.map { Array($0.utf8) } ?? bytes }

    /// Whether it is UTF-8.
    var isText: Bool { text != nil }

    /// Its characters, where it is UTF-8.
    var characters: String { text ?? "" }

    /// The bytes behind its last slash.
    var lastPart: ArraySlice<UInt8> {
        let bytes = content
        return bytes[(bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
    }

    /// Whether characters stand in it that are canonically one with ASCII characters.
    var hasSingletons: Bool {
        text?.unicodeScalars.contains { $0.value == 0x37E || $0.value == 0x1FEF } ?? false
    }

    /// A byte in lower case, where it is an ASCII letter.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
