import MooringModel
import SeededNumbers
import Testing

@testable import MooringS3

@Suite("Pages become slabs without values of their own")
struct PlainPagesTests {
    private static let keys = [
        "k", "a/b", "a%2Fb%20c", "a+b", "%2B", "%41%7a", "%ff%C0", "%", "%4", "%zz", "a b", "é", "",
        "&amp;", "a&lt;b", "&#x2B;", "&#37;41", "&#13;", "&#1;", "&nope;", "a\r", "\u{7F}",
        "\u{FFFE}",
        "private/eu-west-1%3A00000000-0000-4000-8000-000000000000/000000001.png", "<b>k</b>",
    ]

    private static let etags = [
        "&quot;d41d8cd98f00b204e9800998ecf8427e&quot;", "\"e-2\"", "e", "", "\"", "\"\"",
        "&quot;&quot;",
        "\"&amp;\"", "&quot;a&quot;b&quot;", "&quot;", "&#34;e&#34;", "\"e", "\"é\"",
        "\"e\u{301}\"",
        "\"\u{301}e\"", "&nope;", "\"&nope;\"",
    ]

    private static let times = [
        "2026-11-21T10:00:00.123Z", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000Z",
        "2026-13-21T10:00:00.000Z", "2026-11-21T10:0x:00.000Z", "2026-11-21T23:59:60.999Z",
        "2026-11-21T10:00:00,000Z", "2026-11-21T10:00:00.1234Z", "2026-11-21T10:00:00.12xZ",
        "2026-11-21T10:00:00.000+01:00", "2026-11-21", "0000-00-00T00:00:00Z", "", "now",
    ]

    private static let sizes = [
        "0", "7", "123456789012345678", "1234567890123456789", "-7", "", "7e3",
    ]

    private static let others = [
        "<StorageClass>STANDARD</StorageClass>", "<StorageClass/>",
        "<ChecksumType>x</ChecksumType>",
        "<ChecksumAlgorithm>A</ChecksumAlgorithm><ChecksumAlgorithm>B</ChecksumAlgorithm>",
        "<Owner><ID>x</ID><DisplayName>y</DisplayName></Owner>", "<Owner><ID>x</ID></Owner>",
        "<Owner></Owner>", "<Owner><X>x</X></Owner>", "<Owner>text</Owner>", "<Owner><ID>x</Owner>",
        "<VersionId>v</VersionId>", "<VersionId>&nope;</VersionId>", "<IsLatest>true</IsLatest>",
        "<IsLatest>maybe</IsLatest>", "<!-- c -->", "<?pi?>", "text", "<x><y/></x>",
        "<Keys>a</Keys>",
        "<Size2>a</Size2>", "<StorageClass><a/></StorageClass>", "<![CDATA[x]]>", "\u{1}",
    ]

    private static func element(
        _ name: String, _ value: String, _ random: inout SeededGenerator
    ) -> String {
        switch random.number(0...60) {
        case 0: "<\(name) a=\"b>\">\(value)</\(name)>"
        case 1: "<\(name)>\(value)</\(name) >"
        case 2: "<\(name) >\(value)</\(name)\n>"
        case 3: "<\(name)/>"
        case 4: "<\(name)>\(value)</\(name)s>"
        case 5: "<\(name)>\(value)"
        default: "<\(name)>\(value)</\(name)>"
        }
    }

    private static func one(
        _ values: [String], _ random: inout SeededGenerator, isTame: Bool
    ) -> String {
        isTame ? values[random.number(0...1)] : random.one(of: values)
    }

    private static func object(_ random: inout SeededGenerator) -> String {
        let isTame = random.number(0...2) > 0
        var parts = [
            element("Key", one(keys, &random, isTame: isTame), &random),
            element("LastModified", one(times, &random, isTame: isTame), &random),
            element("ETag", one(etags, &random, isTame: isTame), &random),
            element("Size", one(sizes, &random, isTame: isTame), &random),
        ]
        for _ in 0..<random.number(0...2) {
            parts.append(isTame ? others[random.number(0...5)] : random.one(of: others))
        }
        if random.number(0...3) == 0 { parts.shuffle(using: &random) }
        if random.number(0...20) == 0 { parts.removeLast() }
        if random.number(0...30) == 0 { parts.append(random.one(of: parts)) }
        let blank = random.number(0...9) == 0 ? "\n  " : ""
        return element("Contents", blank + parts.joined(separator: blank) + blank, &random)
    }

    private static func page(_ random: inout SeededGenerator) -> [UInt8] {
        var heads = [
            "<Name>b</Name>", "<Prefix></Prefix>", "<EncodingType>url</EncodingType>",
            "<IsTruncated>\(random.bool())</IsTruncated>", "<MaxKeys>1000</MaxKeys>",
            "<NextContinuationToken>t&amp;</NextContinuationToken>",
        ]
        switch random.number(0...30) {
        case 0: heads.remove(at: random.number(0...5))
        case 1: heads.append(random.one(of: heads))
        case 2: heads[2] = "<EncodingType>base64</EncodingType>"
        case 3...12: heads[2] = ""
        default: break
        }
        var parts = heads + random.some(5) { object(&$0) }
        parts += random.some(2) { random in
            random.number(0...3) == 0
                ? "<CommonPrefixes><Prefix>\(random.one(of: keys))</Prefix></CommonPrefixes>" : ""
        }
        if random.number(0...3) == 0 { parts.shuffle(using: &random) }
        var page = Array(
            ("<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"x\">" + parts.joined()
                + "</ListBucketResult>").utf8)
        switch random.number(0...15) {
        case 0: page.removeSubrange(random.number(0...(page.count - 1))...)
        case 1: page[random.number(0...(page.count - 1))] = UInt8(random.number(0...255))
        case 2: page.remove(at: random.number(0...(page.count - 1)))
        default: break
        }
        return page
    }

    private static func encoding(_ random: inout SeededGenerator) -> KeyEncoding {
        var known = KeyEncoding()
        (known.encodesPlus, known.encodesBlank) = (random.bool(), random.bool())
        let readings: [KeyEncoding.Reading?] = [nil, .literal, .percent, .form]
        known.foundPlus = random.one(of: [nil, .percent, .form])
        known.foundUnsaid = random.one(of: readings)
        return known
    }

    // What a reading gave, so that two can be compared.
    private struct Outcome: Equatable {
        var items: [ListedObject] = []
        var prefixes: [[UInt8]] = []
        var isTruncated = false
        var token: [UInt8]?
        var encoding = KeyEncoding()
        var question: [[UInt8]] = []
        var fault: PageFault?

        // An ETag is bytes; texts compare by what they look like.
        var etags: [[UInt8]] { items.map { Array($0.version.etag.utf8) } }
    }

    private static func quick(
        _ page: [UInt8], _ bucket: String?, _ known: KeyEncoding
    ) -> Outcome {
        var outcome = Outcome()
        do throws(PageFault) {
            switch try PageReader<ListedObject>(bucket: bucket).read(
                page, prefix: [], known: known)
            {
            case .page(let page):
                outcome.items = ObjectBatch(page.items.slab).objects
                (outcome.prefixes, outcome.isTruncated) = (page.prefixes, page.isTruncated)
                (outcome.token, outcome.encoding) = (page.token, page.encoding)
            case .ambiguous(let text, let isSaid, let keys):
                outcome.question = [text, isSaid ? [1] : [0]] + keys.map(\.key)
            }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    private static func slow(
        _ page: [UInt8], _ bucket: String?, _ known: KeyEncoding
    ) -> Outcome {
        var outcome = Outcome()
        do throws(PageFault) {
            switch try SlowPageReader(bucket: bucket).read(page, prefix: [], known: known) {
            case .page(let page):
                outcome.items = page.items
                (outcome.prefixes, outcome.isTruncated) = (page.prefixes, page.isTruncated)
                (outcome.token, outcome.encoding) = (page.token, page.encoding)
            case .ambiguous(let text, let isSaid, let keys):
                outcome.question = [text, isSaid ? [1] : [0]] + keys.map(\.key)
            }
        } catch {
            outcome.fault = error
        }
        return outcome
    }

    @Test("Whatever a store sends, both ways tell the same of it")
    func bothWays() {
        var random = SeededGenerator("pagesBothWays")
        var read = 0
        for _ in 0..<20_000 {
            let page = Self.page(&random)
            let (bucket, known) = (random.bool() ? "b" : nil, Self.encoding(&random))
            let found = Self.quick(page, bucket, known)
            let expected = Self.slow(page, bucket, known)
            #expect(
                found == expected && found.etags == expected.etags,
                "\(String(decoding: page, as: UTF8.self))")
            if !found.items.isEmpty { read += 1 }
        }
        #expect(read > 1_000)
    }

    @Test("Parts of a page are what its objects are")
    func parts() {
        var random = SeededGenerator("parts")
        for _ in 0..<200 {
            var items = ObjectPage(room: 0, bytes: 0)
            for number in 0..<random.number(0...40) {
                var element = RawPage.Element()
                (element.seconds, element.size) = (Int64(number), Int64(number))
                let etag: StaticString = "\"tag\""
                element.etag = .init(start: etag.utf8Start, count: etag.utf8CodeUnitCount)
                let key = Array("k\(number + 100)".utf8) + random.hostileBytes()
                #expect(throws: Never.self) {
                    try key.withUnsafeBufferPointer { try items.add(element, key: $0) }
                }
            }
            let all = ObjectBatch(items.slab).objects
            let from = random.number(0...all.count)
            let range = from..<random.number(from...all.count)
            #expect(ObjectBatch(items.part(range).slab).objects == Array(all[range]))
            #expect(
                ObjectBatch(items.keeping { $0.bytes.last != 0 }.slab).objects
                    == all.filter { $0.key.bytes.last != 0 })
            #expect(items.ascends(repeating: false))
            for place in 0..<all.count {
                #expect(items.place(from: 0) { !$0.precedes(all[place].key.bytes) } == place)
            }
        }
    }
}
