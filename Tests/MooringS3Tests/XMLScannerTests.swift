import MooringS3
import Testing

@Suite struct XMLScannerTests {
    @Test func readsADocument() throws {
        let document = try XMLDocument(Array("<?xml version='1.0'?><a><b>x&amp;y</b><c/></a>".utf8))
        #expect(document.name == "a" && document["b"]?.text == "x&y" && document["c"]?.text == "")
    }

    @Test(arguments: [
        ("", "ends within an element"), ("<a>", "ends within an element"),
        ("<a></b>", "closes an element that is not open"), ("<a></a><b/>", "holds a second root"),
        ("<a>\u{1}</a>", "holds a control character"), ("<a>&#x1;</a>", ""),
        ("<a>&nope;</a>", "holds an entity that means nothing"),
        ("x<a/>", "holds text outside its root"), ("<a><!-- </a>", "ends within a comment"),
        ("<a><![CDATA[x]]></a>", "holds a document type or a CDATA section"),
        ("<a><", "ends within a tag"), ("<a b='>", "ends within a tag"),
        ("<a", "ends within a tag"), ("<a></a", "ends within a tag"),
        ("<a></a b>", "ends within a tag"), ("<>", "has an empty name"),
        ("<a></>", "has an empty name"),
        (String(repeating: "<a>", count: 33), "is nested too deep"),
    ])
    func refusesWhatIsNone(_ text: String, _ words: String) {
        let fault = #expect(throws: XMLScanner.Fault.self) { try XMLDocument(Array(text.utf8)) }
        #expect(fault?.reason.contains(words) == true || words.isEmpty, "\(fault?.reason ?? "")")
    }
}
