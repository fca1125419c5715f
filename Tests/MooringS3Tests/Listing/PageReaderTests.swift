import MooringModel
import SeededNumbers
import Testing

@testable import MooringS3

/// Pages that no honest store sends.
@Suite struct PageReaderTests {
    private static let good =
        "<Key>k</Key><LastModified>2026-11-21T10:00:00.999Z</LastModified><ETag>\"e\"</ETag>"
        + "<Size>7</Size>"

    private static func page(_ inside: String, head: String? = nil) -> [UInt8] {
        let head =
            head ?? "<Name>b</Name><Prefix></Prefix><EncodingType>url</EncodingType>"
            + "<IsTruncated>false</IsTruncated>"
        return Array(
            ("<?xml version=\"1.0\"?><ListBucketResult xmlns=\"x\">" + head + inside
                + "</ListBucketResult>").utf8)
    }

    private static func read(_ bytes: [UInt8]) throws -> ListingPage<ListedObject>? {
        let reader = PageReader<ListedObject>(bucket: "b")
        guard
            case .page(let page) = try reader.read(bytes, prefix: [], known: KeyEncoding())
        else { return nil }
        return page
    }

    @Test func readsAnObject() throws {
        let page = try Self.read(Self.page("<Contents>\(Self.good)</Contents>"))
        let version = page?.items.first?.version
        #expect(version?.size == 7 && version?.etag == "e" && version?.versionID == nil)
        #expect(version?.lastModified == Instant(iso8601: "2026-11-21T10:00:00Z"))
    }

    // Refuses a page, and says why in these words; an empty text says any.
    private static func expectFault(
        _ bytes: [UInt8], _ words: String, from location: SourceLocation = #_sourceLocation
    ) {
        let fault = #expect(throws: PageFault.self, sourceLocation: location) {
            try read(bytes)
        }
        let text = fault?.text ?? ""
        #expect(text.contains(words) || words.isEmpty, "\(text)", sourceLocation: location)
    }

    @Test(arguments: [
        ("", ""), ("<", "has an empty name"), ("<>", "has an empty name"),
        ("<Contents", "ends within a tag"), ("<Contents<Key>", "ends within a tag"),
        (String(repeating: "<x>", count: 34), "is nested too deep"),
        ("<Contents>", "closes an element that is not open"),
        ("<Contents/>", "lists an empty element"),
        ("<Contents></Contents>", "lists an element without a key"),
        ("<Contents><Key>k</Key></Contents>", "lists an object without a time"),
        (
            "<Contents><Key>k</Key><LastModified>2026-11-21T10:00:00Z</LastModified></Contents>",
            "lists an object without its size or its ETag"
        ),
        (
            "<Contents>\(good)<Key>l</Key></Contents>",
            "lists an element that says a thing twice"
        ),
        ("<Contents>\(good)</Contents><IsTruncated>true</IsTruncated>", "says IsTruncated twice"),
        ("<Contents>\(good)</Contents>text", "holds text between its elements"),
        ("<Contents>\(good)</contents>", "closes an element that is not open"),
        ("<Contents><Key>a b</Key></Contents>", ""),
        ("<![CDATA[x]]>", "holds a document type or a CDATA section"),
        ("<!-- x", "ends within a comment"), ("<Contents><Key>k", "ends within an element"),
        ("<CommonPrefixes></CommonPrefixes>", "holds a common prefix without its text"),
        (
            "<CommonPrefixes><Prefix>a</Prefix><Prefix>b</Prefix></CommonPrefixes>",
            "holds a common prefix with two texts"
        ),
    ])
    func refusesPages(_ inside: String, _ words: String) {
        let whole = Self.page(inside)
        let isCut = words.hasPrefix("ends within")
        let end = isCut ? whole.count - "</ListBucketResult>".utf8.count : whole.count
        Self.expectFault(inside.isEmpty ? [] : Array(whole[..<end]), words)
    }

    @Test func refusesWhatFollowsTheRoot() {
        Self.expectFault(Self.page("") + Array("<a/>".utf8), "goes on behind its root")
    }

    @Test(arguments: [
        ("<Key>k</Key>", "<Key>k\u{1}</Key>", "holds a control character"),
        ("<Key>k</Key>", "<Key>k\u{FFFE}</Key>", "holds a noncharacter"),
        ("<Key>k</Key>", "<Key>k&#x1;</Key>", ""), ("<Key>k</Key>", "<Key>k&nope;</Key>", ""),
        ("<Key>k</Key>", "<Key>%4</Key>", ""),
        ("<Key>k</Key>", "<Key>%zz</Key>", "lists a key that is not encoded as the others are"),
        ("<Key>k</Key>", "<Key>é</Key>", ""), ("<Key>k</Key>", "<Key></Key>", "lists an empty key"),
        ("<Key>k</Key>", "<Key><b>k</b></Key>", "closes an element that is not open"),
        ("<Key>k</Key>", "<Key>a+b%2B%20</Key>", "writes a plus in three ways"),
        ("<Size>7", "<Size>-7", "lists a size that is none"), ("<Size>7", "<Size>", ""),
        ("<Size>7", "<Size>7e3", "lists a size that is none"),
        ("2026-11-21T", "2026-13-21T", "lists a time that is none"),
        ("10:00:00", "10:0x:00", "lists a time that is none"),
        ("2026-11-21T", "2026-11-31T", "lists a time that is none"),
    ])
    func refusesObjects(_ from: String, _ to: String, _ words: String) {
        let parts = Self.good.split(separator: from, omittingEmptySubsequences: false)
        let inside = parts.joined(separator: to)
        #expect(inside != Self.good)
        Self.expectFault(Self.page("<Contents>\(inside)</Contents>"), words)
    }

    @Test(arguments: [
        ("<Name>other</Name><IsTruncated>false</IsTruncated>", "is about another bucket"),
        (
            "<Name>b</Name><Prefix>p</Prefix><IsTruncated>false</IsTruncated>",
            "is about another prefix"
        ),
        ("<Name>b</Name>", "does not say whether there is more"),
        ("<Name>b</Name><IsTruncated>maybe</IsTruncated>", "says neither true nor false"),
        (
            "<Name>b</Name><EncodingType>base64</EncodingType><IsTruncated>false</IsTruncated>",
            "names an encoding that nobody asked for"
        ),
    ])
    func refusesHeads(_ head: String, _ words: String) {
        Self.expectFault(Self.page("", head: head), words)
    }

    @Test func namesAnErrorUnder200() {
        let body = Array("<Error><Code>SlowDown</Code></Error>".utf8)
        #expect(throws: PageFault.otherRoot("Error")) { try Self.read(body) }
        Self.expectFault(body, "is no listing, but a document called Error")
        Self.expectFault(
            Array("<ListBucketResult/>".utf8), "it is an empty element at byte")
        Self.expectFault(
            Array("<ListBucketResult>".utf8), "is no valid XML: it ends within an element at byte")
    }

    @Test func takesOddButHonestPages() throws {
        let text =
            "<Contents><Size>7</Size><ETag>&quot;e-2&quot;</ETag><Owner><ID>x</ID></Owner>\n"
            + "<LastModified>2024-02-29T23:59:60+00:00</LastModified><!-- c -->"
            + "<Key>a%2Fb%20c</Key><StorageClass/></Contents>"
        let page = try Self.read(Self.page(text))
        #expect(page?.items.first?.key == ObjectKey("a/b c"))
        #expect(page?.items.first?.version.etag == "e-2")
    }

    @Test func asksWhatAPlusMeans() throws {
        let reader = PageReader<ListedObject>(bucket: "b")
        let inside = Self.good.split(separator: "<Key>k").joined(separator: "<Key>a+b")
        let bytes = Self.page("<Contents><Key>a+b" + inside.dropFirst(0) + "</Contents>")
        guard
            case .ambiguous(let text, true, let keys) = try reader.read(
                bytes, prefix: [], known: KeyEncoding())
        else {
            Issue.record("a plus was taken for something")
            return
        }
        #expect(text == Array("a+b".utf8) && keys.count == 2)
    }

    @Test func neverPutsAKeyTogetherWrong() {
        var random = SeededRandom(Seed.one())
        let bytes = Self.page("<Contents>\(Self.good)</Contents>")
        for _ in 0..<20_000 {
            var broken = bytes
            for _ in 0...random.below(2) {
                switch random.below(3) {
                case 0: broken[random.below(broken.count)] = UInt8(random.below(256))
                case 1: broken.remove(at: random.below(broken.count))
                default: broken.removeSubrange(random.below(broken.count)...)
                }
                if broken.isEmpty { break }
            }
            // Whatever is cut or changed, reading ends, and never outside the page.
            _ = try? Self.read(broken)  // Refusing is what is asked for.
        }
    }
}

extension ObjectPage {
    fileprivate var first: ListedObject? { ObjectBatch(slab).objects.first }
}
