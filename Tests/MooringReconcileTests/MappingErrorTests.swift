import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("The search for a mapping error")
struct MappingErrorTests {
    private static let region = "eu-west-1:"

    /// A search over records that hold these values and a bucket with these keys.
    private func search(
        _ values: [String], _ keys: [String], level: LevelChoice = .root, identity: Bool = false
    ) -> MappingRewrite? {
        var song = ModelMapping(
            model: "Song", files: [FileField(field: "cover", level: level)])
        song.identity = identity ? "owner" : nil
        let world = World([song])
        let rows = values.enumerated().map { number, value -> [String: FieldValue] in
            [
                "id": .text(Array("s\(number)".utf8)), "cover": .text(Array(value.utf8)),
                "owner": .text(Array(Self.uuid(number).utf8)),
            ]
        }
        let joined = world.join([World.batch("Song", rows)], keys.map { (0, $0) })
        return MappingErrorSearch(resolver: world.resolver).best(
            joined.dangling + joined.reconciler.rewritable(), joined.orphans)
    }

    /// A UUID for each number; no two of a test end alike.
    private static func uuid(_ number: Int) -> String {
        let mixed = String(UInt64(number + 1) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        let digits = String(repeating: "0", count: 16 - mixed.count) + mixed
        return "\(digits.prefix(8))-0000-4000-8000-0000\(String(digits.suffix(8).reversed()))"
    }

    /// So many file names, none of which ends with another.
    private func names(_ count: Int, from first: Int = 1_000) -> [String] {
        (first..<(first + count)).map { "n\($0)-cover.png" }
    }

    private func words(_ rewrite: MappingRewrite?) -> String? { rewrite?.words { "'\($0.text)'" } }

    // MARK: The six causes

    @Test("A constant prefix is found, added, removed or exchanged, also where it ends in a name")
    func prefix() {
        for (value, key, level, words) in [
            ("", "public/", LevelChoice.root, "adding the prefix 'public/' to the values"),
            ("public/", "", .root, "removing the prefix 'public/' from the values"),
            (
                "old/covers/", "new/albums/", .root,
                "exchanging the prefix 'old/covers/' of the values for 'new/albums/'"
            ),
            (
                "", "protected/", .named("guest"),
                "exchanging the prefix 'public/' of the keys that the values mean for "
                    + "'protected/'"
            ),
            ("", "img-", .root, "adding the prefix 'img-' to the values"),
        ] {
            let found = search(
                names(120).map { value + $0 }, names(120).map { key + $0 }, level: level)
            #expect(found?.cause == .prefix, "\(words)")
            #expect(self.words(found) == words)
            #expect(found?.pairs == 120)
            #expect(found?.share == 1)
            #expect(found?.isMappingError == true)
            #expect(found?.field == .init(model: 0, field: 0, references: 120))
            #expect(found?.samples.count == 3)
        }
    }

    @Test("A prefix with an identity that differs is one rewrite, and so is another identity")
    func identities() {
        let owned = names(120).enumerated().map { ($0, $1) }
        let under = owned.map { "private/\(Self.region)\(Self.uuid($0))/\($1)" }
        let found = search(names(120), under)
        #expect(words(found) == "adding the prefix 'private/{identity}/' to the values")
        #expect(found?.pairs == 120)
        let elsewhere = owned.map { "people/\(Self.uuid($0))/files/\($1)" }
        #expect(
            words(search(names(120), elsewhere))
                == "adding the prefix 'people/{identity}/files/' to the values")
        let unknown = search(names(120), under, level: .named("protected"))
        #expect(
            words(unknown)
                == "exchanging the prefix 'protected/' of the keys that the values mean for "
                + "'private/'")
        let strangers = owned.map { "private/\(Self.region)\(Self.uuid($0 + 900))/\($1)" }
        let others = search(names(120), strangers, level: .named("private"), identity: true)
        #expect(words(others) == "looking under another identity")
        #expect(others?.pairs == 120)
    }

    @Test("Where a name stands under several identities, it says nothing about any of them")
    func sameNameUnderMany() {
        let keys = (0..<120).map { "private/\(Self.region)\(Self.uuid($0 + 500))/avatar.png" }
        let values = Array(repeating: "avatar.png", count: 120)
        let known = search(values, keys, level: .named("private"), identity: true)
        #expect(known?.isMappingError != true)
        #expect(search(values, keys)?.isMappingError != true)
        // The same with many names, each of which stands under two identities on either side.
        let many = (0..<120).map {
            "private/\(Self.region)\(Self.uuid($0 + 500))/\(names(60)[$0 % 60])"
        }
        let twice = search(
            names(60) + names(60), many, level: .named("private"), identity: true)
        #expect(twice?.isMappingError != true)
        // All records mean one key, so one object at most can be theirs.
        let one = search(values, names(120).map { "a/" + $0 } + ["public/avatar.png"])
        #expect(one?.isMappingError != true)
    }

    @Test("Percent-encoding is found on either side, twice even, and plus signs as blanks")
    func encoding() {
        let plain = names(120).map { "caf\u{E9} & more/my " + $0 }
        func encoded(_ text: String, _ blank: String = "%20") -> String {
            text.utf8.map { byte in
                switch byte {
                case 0x20: blank
                case UInt8(ascii: "&"), UInt8(ascii: "%"), 0x80...:
                    "%" + String(byte, radix: 16, uppercase: true)
                default: String(UnicodeScalar(byte))
                }
            }.joined()
        }
        let single = plain.map { encoded($0) }
        for (values, keys, words) in [
            (single, plain, "percent-decoding the values"),
            (plain, single, "percent-encoding the values"),
            (
                plain.map { encoded($0, "+") }, plain,
                "percent-decoding the values, with plus signs as blanks"
            ),
            (single.map { encoded($0) }, plain, "percent-decoding the values twice"),
        ] {
            let found = search(values, keys)
            #expect(found?.cause == .encoding, "\(words)")
            #expect(self.words(found) == words)
            #expect(found?.pairs == 120)
        }
    }

    @Test("Unicode forms, case and slashes are found in both directions")
    func spellings() {
        let composed = names(120).map { "caf\u{E9}/" + $0 }
        let decomposed = names(120).map { "cafe\u{301}/" + $0 }
        let upper = names(120).map { $0.uppercased() }
        let folders = names(120).map { "a/" + $0 }
        for (values, keys, cause, words) in [
            (composed, decomposed, FindingCause.unicode, "decomposing the values (NFD)"),
            (decomposed, composed, .unicode, "composing the values (NFC)"),
            (upper, names(120), .case, "putting the values into lower case"),
            (names(120), upper, .case, "putting the values into upper case"),
            (folders.map { "/" + $0 }, folders, .slash, "removing the slash before the values"),
            (folders.map { $0 + "/" }, folders, .slash, "removing the slash behind the values"),
            (
                names(120).map { "a//" + $0 }, folders, .slash,
                "making doubled slashes in the values single"
            ),
            (
                names(120).map { "a\\" + $0 }, folders, .slash,
                "replacing the backslashes in the values by slashes"
            ),
            (
                folders, folders.map { "/" + $0 }, .slash,
                "putting a slash before the keys that the values mean"
            ),
        ] {
            let found = search(values, keys)
            #expect(found?.cause == cause, "\(words)")
            #expect(self.words(found) == words)
            #expect(found?.pairs == 120)
        }
    }

    @Test("A slash before the values is found under a level too, with an identity or without")
    func slashUnderLevel() {
        let values = names(120).map { "/" + $0 }
        let guest = search(values, names(120).map { "public/" + $0 }, level: .named("guest"))
        #expect(guest?.cause == .slash)
        #expect(guest?.pairs == 120)
        let keys = names(120).enumerated().map { "private/\(Self.uuid($0))/\($1)" }
        let open = search(values, keys, level: .named("private"))
        #expect(open?.cause == .slash)
        #expect(open?.pairs == 120)
    }

    @Test(
        "URLs are found by their path: with a bucket's name, a query, encoded, too long for a key",
        arguments: [
            "https://media.s3.amazonaws.com/public/", "https://s3.amazonaws.com/media/public/",
            "s3://media/public/", "https://cdn.example.com/x/y/public/",
        ])
    func url(start: String) {
        let query = "?X-Amz-Signature=" + String(repeating: "0", count: 1_100)
        for tail in ["", "?v=1#top", query] {
            let values = names(120).map { start + "my%20" + $0 + tail }
            let keys = names(120).map { "public/my " + $0 }
            for level in [LevelChoice.root, .named("guest"), .named("private"), .any] {
                let found = search(values, keys, level: level)
                #expect(found?.cause == .url, "\(start) \(tail.prefix(9)) \(level)")
                #expect(found?.pairs == 120)
            }
        }
    }

    // MARK: Limits

    @Test("nine candidates on a side are too few, and less than half of the smaller side is too")
    func limits() {
        func found(_ matching: Int, _ references: Int, _ objects: Int) -> MappingRewrite? {
            search(
                names(matching) + names(references - matching, from: 5_000),
                names(matching).map { "public/" + $0 }
                    + names(objects - matching, from: 7_000).map { "q/x" + $0 })
        }
        #expect(found(9, 9, 300) == nil)
        #expect(found(9, 300, 9) == nil)
        #expect(found(10, 10, 10)?.isMappingError == true)
        #expect(found(50, 100, 400)?.isMappingError == true)
        #expect(found(50, 400, 100)?.isMappingError == true)
        #expect(found(49, 100, 400)?.isMappingError != true)
        #expect(found(49, 400, 100)?.isMappingError != true)
        #expect(found(49, 100, 400)?.pairs == 49)
    }

    @Test("Each bucket is asked alone; foreign references do not count")
    func buckets() {
        let songs = ModelMapping(
            model: "Song", files: [FileField(field: "cover", bucket: "one")])
        let films = ModelMapping(
            model: "Film", files: [FileField(field: "cover", bucket: "two")])
        let posts = ModelMapping(
            model: "Post", files: [FileField(field: "cover", bucket: "gone")])
        let world = World([songs, films, posts], buckets: ["one", "two"])
        func rows(_ names: [String]) -> [[String: FieldValue]] {
            names.map { ["id": .text(Array($0.utf8)), "cover": .text(Array($0.utf8))] }
        }
        func search(_ one: Int, _ two: Int, foreign: Int = 0) -> MappingRewrite? {
            let joined = world.join(
                [
                    World.batch("Song", rows(names(one))),
                    World.batch("Film", rows(names(two, from: 3_000))),
                    World.batch("Post", rows(names(foreign, from: 6_000))),
                ],
                (names(one) + names(foreign, from: 6_000)).map { (0, "p/" + $0) }
                    + names(two, from: 3_000).map { (1, "p/" + $0) })
            return MappingErrorSearch(resolver: world.resolver).best(
                joined.dangling, joined.orphans)
        }
        let both = search(60, 70)
        #expect(both?.pairs == 70)
        #expect(both?.bucket == 1)
        #expect(both?.isMappingError == true)
        // One bucket alone has one, whatever the others hold.
        #expect(search(60, 120)?.pairs == 120)
        #expect(search(6, 3, foreign: 6) == nil)
    }

    @Test("a search that is asked to stop leaves its loops")
    func stopped() {
        let world = World([ModelMapping(model: "Song", files: [FileField(field: "cover")])])
        let rows = (0..<200).map { number in
            [
                "id": FieldValue.text(Array("\(number)".utf8)),
                "cover": FieldValue.text(Array("k\(number)".utf8)),
            ]
        }
        let joined = world.join(
            [World.batch("Song", rows)], (0..<200).map { (0, "folder/k\($0)") })
        func best(isStopped: Bool) -> MappingRewrite? {
            MappingErrorSearch(resolver: world.resolver, isStopped: { isStopped })
                .best(joined.dangling, joined.orphans)
        }
        #expect(best(isStopped: false)?.pairs == 200)
        #expect(best(isStopped: true) == nil)
    }

    @Test("Keys that all end alike take no longer than others")
    func equalEnds() {
        let end = "/" + String(repeating: "x", count: 300) + "/cover.png"
        let values = (0..<1_000).map { "a\($0)" + end }
        let slashes = String(repeating: "/", count: 900)
        let time = processorTime {
            let found = search(values, values.map { "public/" + $0 })
            #expect(found?.pairs == 1_000)
            #expect(search(values.map { slashes + $0 }, values)?.cause == .slash)
        }
        #expect(time < .seconds(60))
    }

    // MARK: Properties

    @Test("A random rewrite of random keys is found, among others that no rewrite explains")
    func randomRewrites() {
        var random = SeededGenerator("MappingErrorTests.randomRewrites")
        for _ in 0..<30 {
            func name() -> String {
                (0..<12).map { _ in String(random.one(of: Array("abcdefghijkmnopqrstuvwxyz"))) }
                    .joined()
            }
            func folder() -> String {
                (0..<random.number(0...3)).map { _ in name() + "/" }.joined()
            }
            let (strip, add) = (folder(), name() + "/" + folder())
            let count = random.number(100...200)
            let keys = (0..<count).map { _ in folder() + "\u{E9} " + name() + ".Png" }
            let rewrites: [(FindingCause, (String) -> String, (String) -> String)] = [
                (.prefix, { strip + $0 }, { add + $0 }),
                (.encoding, { $0.replacing(" ", with: "%20") }, { $0 }),
                (.unicode, { $0 }, { $0.replacing("\u{E9}", with: "e\u{301}") }),
                (.case, { $0.uppercased() }, { $0 }), (.slash, { "/" + $0 }, { $0 }),
                (.url, { "https://h.example/b/" + $0 + "?q" }, { $0 }),
            ]
            let (cause, value, key) = random.one(of: rewrites)
            let lost = (0..<random.number(0...count)).map { _ in "lost/" + name() }
            let left = (0..<random.number(0...300)).map { _ in name() + "/left" + name() }
            let found = search(
                (keys.map(value) + lost).shuffled(using: &random),
                (keys.map(key) + left).shuffled(using: &random))
            #expect(found?.cause == cause, "\(strip) \(add)")
            #expect(found?.pairs == count)
            #expect(found?.isMappingError == true)
        }
    }

    @Test("Random keys that have nothing to do with one another are no mapping error")
    func unrelated() {
        var random = SeededGenerator("MappingErrorTests.unrelated")
        for _ in 0..<20 {
            // Few names in few folders, so that ends are often equal by chance.
            func key(_ folders: String) -> String {
                "\(random.one(of: Array(folders)))\(random.number(0...9))/"
                    + "\(random.number(0...9))\(random.number(0...60)).jpg"
            }
            let values = Array(Set((0..<150).map { _ in key("abcdefgh") })).sorted()
            let keys = Array(Set((0..<150).map { _ in key("ijklmnop") })).sorted()
            guard values.count >= 100, keys.count >= 100 else { continue }
            #expect(search(values, keys)?.isMappingError != true)
        }
    }
}
