import MooringText
import Testing

struct ForeignTextTests {
    /// Control characters, a C1 control, marks of direction, breaks of a line, a character of
    /// private use, and one that Unicode gives no meaning.
    private static let hidden =
        "\u{0}\u{1B}\n\u{7F}\u{9B}\u{202E}\u{2066}\u{FEFF}\u{2028}\u{E000}\u{378}"

    @Test("What would act on a terminal is never printed")
    func hidden() {
        let marked = ("a" + Self.hidden + "b").printable(mark: "?")
        #expect(marked == "a???????????b")
        #expect(Self.hidden.unicodeScalars.allSatisfy { !$0.isVisible })
        let escaped = ForeignBytes.text(Array(Self.hidden.utf8))
        #expect(escaped.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        #expect(ForeignBytes.text(Array("a\\b \u{E9}".utf8) + [0xFF]) == "a\\b \u{E9}\\xff")
        #expect("a b \u{E9}\u{1F3B5}".printable == "a b \u{E9}\u{1F3B5}")
    }

    @Test("Long texts are cut behind their last character that counts")
    func cut() {
        let long = String(repeating: "x", count: 81)
        #expect(long.printable == String(repeating: "x", count: 80) + "…")
        #expect(long.printablePath == long)
        #expect(long.printable(longest: 81, end: "...") == long)
        #expect(long.printable(longest: 2, end: "") == "xx")
        #expect(quotedName(Array(long.utf8)) == "\"\(long)\"")
        #expect(quotedName(Array((long + long).utf8)).hasSuffix("\"…"))
        #expect(quotedName([0x22, 0x0A]) == #""\"\n""#)
    }

    @Test("A near word is named, and two letters in each other's place are one edit")
    func nearest() {
        #expect(Nearest.match("modles", among: ["models", "modes"]) == "models")
        #expect(Nearest.match("x", among: ["models"]) == nil)
        let names = ["title", "tilte", "cover", "id"].map { Array($0.utf8) }
        #expect(
            Nearest.names(to: Array("TITEL".utf8), among: names)
                == "; the nearest are \"title\", \"tilte\", \"id\"")
        #expect(Nearest.names(to: [0xFF], among: []) == "")
        let hostile = [UInt8](repeating: 0x61, count: 1 << 20)
        #expect(Nearest.names(to: hostile, among: [hostile]).hasSuffix("\"…"))
    }

    @Test("Names and texts of SQL are quoted by doubling, whatever bytes they are")
    func sql() {
        var text = SQLText("SELECT ")
        text.append([.column([0x61, 0x22, 0xFF]), .column([])], separator: ", ")
        text.append(" = ")
        text.append(text: Array("it's".utf8))
        #expect(
            text.bytes == Array("SELECT m.\"a\"\"".utf8) + [0xFF]
                + Array("\", m.\"\" = 'it''s'".utf8))
        #expect(Hexadecimal.text([0x00, 0x9A, 0xFF]) == "009aff")
        let all = (UInt8.min...UInt8.max).map { $0 }
        #expect(all.withUnsafeBytes { Hexadecimal.text($0) } == Hexadecimal.text(all))
    }
}
