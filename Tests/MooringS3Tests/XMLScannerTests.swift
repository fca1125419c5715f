import MooringS3
import Testing

@Suite struct XMLScannerTests {
    @Test func readsADocument() throws {
        let document = try XMLDocument(Array("<?xml version='1.0'?><a><b>x&amp;y</b><c/></a>".utf8))
        #expect(document.name == "a" && document["b"]?.text == "x&y" && document["c"]?.text == "")
    }

    @Test(arguments: ["", "<a>", "<a></b>", "<a></a><b/>", "<a>\u{1}</a>", "<a>&#x1;</a>", "x<a/>"])
    func refusesWhatIsNone(_ text: String) {
        #expect(throws: XMLScanner.Fault.self) { try XMLDocument(Array(text.utf8)) }
    }
}
