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

    @Test(arguments: [
        "", "<", "<Contents>", "<Contents/>", "<Contents></Contents>",
        "<Contents><Key>k</Key></Contents>", "<Contents>\(good)<Key>l</Key></Contents>",
        "<Contents>\(good)</Contents><IsTruncated>true</IsTruncated>",
        "<Contents>\(good)</Contents>text", "<Contents>\(good)</contents>",
        "<Contents><Key>a b</Key></Contents>",
    ])
    func refusesPages(_ inside: String) {
        if inside.isEmpty {
            #expect(throws: PageFault.self) { try Self.read([]) }
        } else {
            #expect(throws: PageFault.self) { try Self.read(Self.page(inside)) }
        }
    }

    @Test(arguments: [
        ("<Key>k</Key>", "<Key>k\u{1}</Key>"), ("<Key>k</Key>", "<Key>k\u{FFFE}</Key>"),
        ("<Key>k</Key>", "<Key>k&#x1;</Key>"), ("<Key>k</Key>", "<Key>k&nope;</Key>"),
        ("<Key>k</Key>", "<Key>%4</Key>"), ("<Key>k</Key>", "<Key>%zz</Key>"),
        ("<Key>k</Key>", "<Key>é</Key>"), ("<Key>k</Key>", "<Key></Key>"),
        ("<Key>k</Key>", "<Key><b>k</b></Key>"), ("<Key>k</Key>", "<Key>a+b%2B%20</Key>"),
        ("<Size>7", "<Size>-7"), ("<Size>7", "<Size>"), ("<Size>7", "<Size>7e3"),
        ("2026-11-21T", "2026-13-21T"), ("10:00:00", "10:0x:00"), ("2026-11-21T", "2026-11-31T"),
    ])
    func refusesObjects(_ change: (from: String, to: String)) {
        let parts = Self.good.split(separator: change.from, omittingEmptySubsequences: false)
        let inside = parts.joined(separator: change.to)
        #expect(inside != Self.good)
        #expect(throws: PageFault.self) {
            try Self.read(Self.page("<Contents>\(inside)</Contents>"))
        }
    }

    @Test(arguments: [
        "<Name>other</Name><IsTruncated>false</IsTruncated>",
        "<Name>b</Name><Prefix>p</Prefix><IsTruncated>false</IsTruncated>",
        "<Name>b</Name>", "<Name>b</Name><IsTruncated>maybe</IsTruncated>",
        "<Name>b</Name><EncodingType>base64</EncodingType><IsTruncated>false</IsTruncated>",
    ])
    func refusesHeads(_ head: String) {
        #expect(throws: PageFault.self) { try Self.read(Self.page("", head: head)) }
    }

    @Test func namesAnErrorUnder200() {
        let body = Array("<Error><Code>SlowDown</Code></Error>".utf8)
        #expect(throws: PageFault.otherRoot("Error")) { try Self.read(body) }
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
