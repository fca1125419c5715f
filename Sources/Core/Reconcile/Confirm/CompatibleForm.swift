/// The plain letters for those that are other forms of them, as Unicode's NFKC has it: half and
/// full width, digits of other writings, raised ones, ligatures, some signs and fractions.
///
/// Those that file names have: <https://www.unicode.org/reports/tr15/>.
enum CompatibleForm {
    // The full forms of U+FF65 to U+FF9F, in that order.
    private static let katakana: [UInt32] = [
        0x30FB, 0x30F2, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5, 0x30E7, 0x30C3,
        0x30FC, 0x30A2, 0x30A4, 0x30A6, 0x30A8, 0x30AA, 0x30AB, 0x30AD, 0x30AF, 0x30B1, 0x30B3,
        0x30B5, 0x30B7, 0x30B9, 0x30BB, 0x30BD, 0x30BF, 0x30C1, 0x30C4, 0x30C6, 0x30C8, 0x30CA,
        0x30CB, 0x30CC, 0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5, 0x30D8, 0x30DB, 0x30DE, 0x30DF,
        0x30E0, 0x30E1, 0x30E2, 0x30E4, 0x30E6, 0x30E8, 0x30E9, 0x30EA, 0x30EB, 0x30EC, 0x30ED,
        0x30EF, 0x30F3, 0x3099, 0x309A,
    ]
    private static let ligatures = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"]
    private static let others: [UInt32: String] = [
        0xAA: "a", 0xBA: "o", 0xBC: "1/4", 0xBD: "1/2", 0xBE: "3/4", 0x2116: "No", 0x2122: "TM",
        0x309B: "\u{3099}", 0x309C: "\u{309A}",
    ]

    /// The name's scalars, each in its plain form.
    static func scalars(of name: String) -> String.UnicodeScalarView {
        guard name.utf8.contains(where: { $0 >= 0x80 }) else { return name.unicodeScalars }
        var plain = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { append(scalar, to: &plain) }
        return plain
    }

    private static func append(_ scalar: Unicode.Scalar, to plain: inout String.UnicodeScalarView) {
        let value = scalar.value
        switch value {
        case ..<0x80: plain.append(scalar)
        case 0xFF01...0xFF5E: append(value - 0xFEE0, or: scalar, to: &plain)
        case 0xFF65...0xFF9F: append(katakana[Int(value - 0xFF65)], or: scalar, to: &plain)
        case 0xFB00...0xFB06: plain += ligatures[Int(value - 0xFB00)].unicodeScalars
        default:
            if let other = others[value] {
                plain += other.unicodeScalars
            } else if let digit = digit(scalar) {
                append(0x30 + digit, or: scalar, to: &plain)
            } else {
                plain.append(scalar)
            }
        }
    }

    private static func append(
        _ value: UInt32, or scalar: Unicode.Scalar, to plain: inout String.UnicodeScalarView
    ) {
        plain.append(Unicode.Scalar(value) ?? scalar)
    }

    private static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
        let properties = scalar.properties
        guard [.decimal, .digit].contains(properties.numericType),
            let value = properties.numericValue, (0...9).contains(value)
        else { return nil }
        return UInt32(value)
    }
}
