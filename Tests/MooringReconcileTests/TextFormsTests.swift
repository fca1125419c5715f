import Testing

@testable import MooringReconcile

@Suite("Forms of a text")
struct TextFormsTests {
    private func forms(_ text: String) -> [String] {
        var forms: [String] = []
        TextForms(foldsPaths: true).each(of: Array(text.utf8)) {
            forms.append(String(decoding: $0, as: UTF8.self))
        }
        return forms
    }

    @Test("every encoding is taken off alone, whatever else the text calls for")
    func oneLayer() {
        let rest = #" 'a''b' ""c"" &amp;&#37;25 x+y %252525 \\u0041 /./d//e/../f"#
        let found = forms(#""covers\/my%20photo (1).png""# + rest)
        #expect(found.contains { $0.hasPrefix("\"covers/my%20photo (1).png\"") })
        #expect(found.contains { $0.hasPrefix(#""covers\/my photo (1).png""#) })
    }

    @Test("those with fewer layers come first, each once")
    func order() {
        #expect(forms("a%2520b") == ["a%2520b", "a%20b", "a b"])
        #expect(forms("plain") == ["plain"])
    }

    @Test("a key four encodings deep is found in a text that has hundreds of forms")
    func manyForms() {
        let key = #"cov\er"s&amp;100%25+it's;a''b""c.png"#
        let text =
            #"cov\\\\er\\\&amp;quot\;s\&amp;amp\;amp\;100%25+it\&amp;#x27\;s\;a"#
            + #"\&amp;#x27\;\&amp;#x27\;b\\\&amp;quot\;\\\&amp;quot\;c.png"#
        let rest =
            #" ''''a'' """"b"" %252525 x+y \\\\\\\\u0041 &amp;amp;amp;#37; \\\\&amp;quot;"#
        let found = forms(text + rest)
        #expect(found.contains { $0.hasPrefix(key) })
        #expect(found.count > 256)
    }
}
