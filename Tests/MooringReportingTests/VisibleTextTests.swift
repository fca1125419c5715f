import MooringModel
import SeededNumbers
import Testing

@testable import MooringReporting

@Suite struct VisibleTextTests {
    @Test(
        "Each scalar has one form in ASCII",
        arguments: [
            ("plain/key-1_2.jpg", "plain/key-1_2.jpg"), ("a\\b", "a\\\\b"), ("a\nb", "a\\x0ab"),
            ("\u{0}\u{7F}", "\\x00\\x7f"), ("Caf\u{E9}", "Caf\\u{e9}"),
            ("Cafe\u{301}", "Cafe\\u{301}"), ("\u{202E}x", "\\u{202e}x"),
            (" a  b ", "\\x20a \\x20b\\x20"),
            ("\u{1F3B5}", "\\u{1f3b5}"), ("\\x0a", "\\\\x0a"), ("", ""),
        ])
    func ascii(text: String, expected: String) {
        #expect(VisibleText.ascii(text) == expected)
    }

    @Test("Bytes that are not UTF-8 are shown one by one")
    func invalid() {
        #expect(
            VisibleText.ascii([0x61, 0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xC3])
                == "a\\xff\\xc0\\x80\\xed\\xa0\\x80\\xc3")
        #expect(VisibleText.ascii([0xE2, 0x82, 0x41]) == "\\xe2\\x82A")
    }

    @Test("The escape gives the bytes back")
    func reversible() throws {
        var generator = SeededGenerator(#function)
        for _ in 0..<300 {
            let length = Int.random(in: 0...24, using: &generator)
            let pool: [UInt8] = [0x00, 0x0A, 0x20, 0x5C, 0x75, 0x78, 0x7B, 0x80, 0xC3, 0xA9, 0xFF]
            let bytes = (0..<length).compactMap { _ in pool.randomElement(using: &generator) }
            let text = VisibleText.ascii(bytes)
            #expect(text.utf8.allSatisfy { (0x20...0x7E).contains($0) })
            #expect(try unescaped(text) == bytes, "\(bytes)")
        }
    }

    private func unescaped(_ text: String) throws -> [UInt8] {
        try VisibleText.units(text).flatMap { unit -> [UInt8] in
            if unit == "\\\\" { return [0x5C] }
            if unit.hasPrefix("\\x") { return [try #require(UInt8(unit.dropFirst(2), radix: 16))] }
            if unit.hasPrefix("\\u") {
                let code = try #require(UInt32(unit.dropFirst(3).dropLast(), radix: 16))
                return Array(String(try #require(Unicode.Scalar(code))).utf8)
            }
            return Array(unit.utf8)
        }
    }

    @Test("A long text is shortened in its middle, never within an escape")
    func shortened() {
        let bytes = Array(repeating: Array("ab\u{202E}".utf8), count: 100).flatMap { $0 }
        for width in 10...60 {
            let text = VisibleText.ascii(bytes, width: width)
            #expect(text.utf8.count <= width)
            #expect(text.contains("..."))
            let rest = text.replacing("\\u{202e}", with: "")
            #expect(!rest.contains("\\") && !rest.contains("{"), "\(text)")
        }
        #expect(VisibleText.ascii(Array("short".utf8), width: 5) == "short")
    }

    @Test(
        "Markup characters become references, and hidden ones are marked",
        arguments: [
            ("<script>\"'&", "&lt;script&gt;&quot;&#39;&amp;"),
            ("a\u{202E}\u{200B}b", "a<span class=\"esc\">\\u{202e}\\u{200b}</span>b"),
            ("Caf\u{E9}", "Caf\u{E9}"), ("\u{0}", "<span class=\"esc\">\\x00</span>"),
            ("\u{3164}\u{FE0F}", "<span class=\"esc\">\\u{3164}\\u{fe0f}</span>"),
        ])
    func html(text: String, expected: String) {
        #expect(Markup.bytes(Array(text.utf8)) == expected)
        #expect(!Markup.text(text).contains("<"))
    }

    @Test("A value of megabytes is cut in HTML, and the cut is counted")
    func htmlLimit() {
        let html = Markup.bytes([UInt8](repeating: 0x61, count: 1_000_000))
        #expect(html.utf8.count < 3_000)
        #expect(html.contains("997,952 bytes left out"))
    }

    @Test(
        "A CSV cell never begins a formula",
        arguments: [
            ("=cmd()", "'=cmd()"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("a=b", "a=b"),
            ("\t=1", "'\\x09=1"), ("\rx", "'\\x0dx"), ("  =1", "'  =1"),
            ("\u{FF1D}1", "'\u{FF1D}1"),
            ("\n=1", "'\\x0a=1"), ("a\u{0}b", "a\\x00b"), ("a\\b", "a\\b"), ("", ""),
            ("\u{A0}=1", "'\\u{a0}=1"),
        ])
    func csv(text: String, expected: String) {
        #expect(CSVReport.safe(Array(text.utf8)) == expected)
    }

    @Test("CSV cells are quoted as RFC 4180 says")
    func csvQuotes() {
        let cells: [CSVReport.Cell] = [
            .foreign(Array("a,b".utf8)), .foreign(Array("say \"hi\"".utf8)), .code(nil),
            .foreign(Array("plain".utf8)),
        ]
        #expect(CSVReport.row(cells) == "\"a,b\",\"say \"\"hi\"\"\",,plain\r\n")
    }

    @Test(
        "Numbers and sizes are the same everywhere",
        arguments: [
            (Int64(0), "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (1_048_575, "1.0 MiB"),
            (1_536, "1.5 KiB"), (107_374_182_400, "100.0 GiB"), (.max, "8.0 EiB"),
            (.min, "-8.0 EiB"),
        ])
    func sizes(bytes: Int64, expected: String) {
        #expect(Figures.size(bytes) == expected)
    }

    @Test("Digits are grouped by three")
    func grouped() {
        #expect(
            [0, 999, 1_000, 1_234_567, -1_000].map { Figures.grouped($0) }
                == ["0", "999", "1,000", "1,234,567", "-1,000"])
        #expect(Figures.grouped(Int64.min) == "-9,223,372,036,854,775,808")
    }

    @Test("Lines are wrapped at blanks, and long words between escapes")
    func wrapping() {
        let layout = TextLayout(width: 40)
        let text = "one two " + String(repeating: "\\u{202e}", count: 30) + " three"
        let lines = layout.wrapped(text, first: "> ", rest: "  ")
        #expect(lines.allSatisfy { $0.utf8.count <= 40 })
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("  ") })
        let escapes = lines.map { $0.replacing("\\u{202e}", with: "") }.joined()
        #expect(!escapes.contains("\\"))
        #expect(TextLayout.column("abcdefghij", 8) == "abc...ij")
        #expect(TextLayout.column("ab", 4, right: true) == "  ab")
    }

    @Test("A template escapes two braces and inserts three")
    func template() {
        let html = Template(Array("<p title=\"{{a}}\">{{{b}}}</p>{{a}} {c} {".utf8), .html)
        #expect(html.names == ["a", "b"])
        #expect(
            html.filled(["a": "\"<", "b": "<b>"])
                == "<p title=\"&quot;&lt;\"><b></p>&quot;&lt; {c} {")
        let (before, after) = Template(Array("x{{a}}{{{b}}}y".utf8), .text).split(at: "b")
        #expect(before.filled(["a": "\u{E9}{{b}}"]) == "x\\u{e9}{{b}}")
        #expect(after.filled([:]) == "y")
    }

    @Test("A value is never read as a template")
    func templateInjection() {
        let html = Template(Array("{{a}}{{{b}}}".utf8), .html)
        #expect(html.filled(["a": "{{{b}}}", "b": "{{a}}"]) == "{{{b}}}{{a}}")
    }
}
