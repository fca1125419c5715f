import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("What a missing reference may mean elsewhere")
struct MeaningTests {
    private func world(
        _ level: LevelChoice = .named("private"), buckets: [String] = ["media"]
    ) -> World {
        let file = FileField(field: "key", level: level, bucket: buckets[0])
        return World(
            [
                ModelMapping(model: "Song", deleted: "gone", identity: "who", files: [file]),
                ModelMapping(model: "Whole", files: [FileField(field: "key", bucket: buckets[0])]),
                ModelMapping(model: "Far", files: [FileField(field: "key", bucket: buckets.last)]),
            ], buckets: buckets)
    }

    /// Both passes over these batches; the orphans are what pass B looks for.
    private func scan(
        _ world: World, _ batches: [RecordBatch], _ keys: [(Int, String)]
    ) -> ConfirmScan {
        let (reconciler, orphans, dangling) = world.join(batches, keys)
        var scan = ConfirmScan(
            models: world.models, buckets: world.buckets, resolver: world.resolver,
            wanted: orphans.map { WantedKey(bucket: $0.bucket, key: $0.object.key) },
            dangling: dangling, known: reconciler)
        for batch in batches { scan.compareReferenced(batch, source: "app") }
        for batch in batches { scan.read(batch, source: "app", searchesText: true) }
        return scan
    }

    private func song(_ key: String, _ who: String? = "eu:1", id: String = "s1") -> RecordBatch {
        World.batch(
            "Song",
            [
                [
                    "id": .text(Array(id.utf8)), "key": .text(Array(key.utf8)),
                    "who": who.map { .text(Array($0.utf8)) } ?? .null, "gone": .null,
                ]
            ])
    }

    @Test(
        "a twin: Unicode form, percent-encoding once or twice, a plus, case, and all at once",
        arguments: [
            ("caf\u{E9}.png", "cafe\u{301}.png"), ("a b.png", "a%20b.png"),
            ("a b.png", "a%2520b.png"), ("a b.png", "a+b.png"), ("A.PNG", "a.png"),
            ("stra\u{DF}e", "STRASSE"), ("x/CAF\u{C9} 1.png", "x%2fcafe%CC%81+1.PNG"),
            ("a\u{37E}b", "a;b"), ("a;b", "a\u{37E}b"), ("\u{3A3}", "\u{3C2}"),
        ])
    func twins(held: String, listed: String) {
        for (one, other) in [(held, listed), (listed, held)] {
            let found = scan(world(), [song(one)], [(0, "private/eu:1/" + other)])
            #expect(found.claimed == [0] && found.unmapped.isEmpty && found.doubtful.isEmpty)
            let objects = found.meant(by: 0).objects.map(\.object)
            #expect(objects.map(\.difference) == [.twin])
            #expect(objects.map(\.key) == [ObjectKey("private/eu:1/" + other)])
            #expect(objects.map(\.relation) == ["its twin"])
        }
    }

    @Test(
        "keys that differ by more are no twins, compatibility forms among them",
        arguments: [("x2", "x\u{B2}"), ("\u{FF21}", "A"), ("a_b", "a b"), ("a", "a/")])
    func noTwins(held: String, listed: String) {
        let found = scan(world(), [song(held)], [(0, "private/eu:1/" + listed)])
        #expect(found.claimed.isEmpty && found.meant(by: 0).objects.isEmpty)
    }

    @Test("bytes that are no UTF-8 are twins by percent-encoding alone, and not of one another")
    func brokenBytes() {
        let form = TwinForm([0x61, 0xFF])
        #expect(form == TwinForm(Array("A%FF".utf8)))
        #expect(form != TwinForm([0x61, 0xFE]))
        #expect(form != TwinForm(Array("a\u{FFFD}".utf8)))
    }

    @Test("the whole key may be the twin, its level and identity too")
    func wholeKey() {
        let found = scan(world(), [song("a.png")], [(0, "Private/EU%3A1/a.png")])
        #expect(found.meant(by: 0).objects.map(\.object.difference) == [.twin])
        #expect(found.claimed == [0])
    }

    @Test(
        "the same value elsewhere is misplaced, and says where",
        arguments: [
            ("public/a.png", MeantObject.Difference.level, "guest", nil as String?),
            ("protected/eu:1/a.png", .level, "protected", "eu:1"),
            ("private/eu:2/a.png", .identity, "private", "eu:2"), ("a.png", .level, "", nil),
        ])
    func misplaced(
        key: String, difference: MeantObject.Difference, level: String, identity: String?
    ) throws {
        let found = scan(world(), [song("a.png")], [(0, key)])
        #expect(found.claimed == [0])
        let object = try #require(found.meant(by: 0).objects.first?.object)
        #expect(object.difference == difference && object.level ?? "" == level)
        #expect(object.identity == identity.map { Array($0.utf8) })
        #expect(object.isSpelledAlike && object.cause == .misplaced)
        #expect(found.claim(on: 0)?.place.identity.id.text == "s1")
    }

    @Test("the whole key in a field that looks at the root, and a value in another bucket")
    func rootAndBucket() throws {
        let root = scan(
            world(.root), [song("a.png")], [(0, "private/eu:2/a.png")])
        #expect(root.meant(by: 0).objects.map(\.object.difference) == [.level])
        let far = scan(
            world(buckets: ["media", "thumbs"]), [song("a.png")], [(1, "private/eu:1/a.png")])
        let object = try #require(far.meant(by: 0).objects.first?.object)
        #expect(object.difference == .bucket && object.bucket == "thumbs")
        #expect(far.claimed == [0])
    }

    @Test("objects that other records reference are found too, in every place")
    func referenced() {
        let whole = { (key: String) in
            World.batch("Whole", [["id": "w", "key": .text(Array(key.utf8))]])
        }
        for (key, difference) in [
            ("private/eu:1/A.png", MeantObject.Difference.twin), ("public/a.png", .level),
            ("private/eu:2/a.png", .identity),
        ] {
            let found = scan(world(), [song("a.png"), whole(key)], [(0, key)])
            #expect(found.meant(by: 0).objects.map(\.object.difference) == [difference], "\(key)")
            #expect(found.meant(by: 0).objects.map(\.object.key) == [ObjectKey(key)])
        }
        let far = World.batch("Far", [["id": "f", "key": "a.png"]])
        let found = scan(
            world(.root, buckets: ["media", "thumbs"]), [song("a.png"), far], [(1, "a.png")])
        #expect(found.meant(by: 0).objects.map(\.object.difference) == [.bucket])
    }

    @Test("a name that many identities use tells nothing of one of them, but an orphan does")
    func commonName() {
        func found(_ others: Int, _ more: [(Int, String)] = []) -> ConfirmScan {
            let songs = (0..<others).map { song("me.png", "eu:\($0)x", id: "o\($0)") }
            let keys = (0..<others).map { (0, "private/eu:\($0)x/me.png") }
            return scan(world(), [song("me.png")] + songs, keys + more)
        }
        let limit = MeaningIndex.commonName
        #expect(found(limit).meant(by: 0).objects.count == limit)
        #expect(found(limit + 1).meant(by: 0).objects.isEmpty)
        let orphan = found(limit + 1, [(0, "private/lost/me.png")])
        #expect(orphan.meant(by: 0).objects.map(\.wanted) == [0])
    }

    @Test("what it may mean is bounded, and says how much more there is")
    func bounded() {
        let keys = (0..<50).map { (0, "private/eu:\($0)x/a.png") }
        let found = scan(world(), [song("a.png")], keys)
        #expect(found.meant(by: 0).objects.count == MeaningIndex.shownLimit)
        #expect(found.meant(by: 0).beside > 0)
        #expect(found.claimed.count == 50)
    }

    @Test("a reference whose identity is not known means all, and its twin under any of them")
    func anyIdentity() {
        let own = world().join([song("a.png", nil)], [(0, "private/eu:7/a.png")])
        #expect(own.orphans.isEmpty && own.dangling.isEmpty)
        let found = scan(world(), [song("a.png", nil)], [(0, "private/eu:7/A.png")])
        #expect(found.claimed == [0])
        #expect(found.meant(by: 0).objects.map(\.object.difference) == [.twin])
    }

    @Test("a level that is not known means every place, and twins in each")
    func anyLevel() {
        for key in ["A.png", "public/A.png", "private/eu:1/A.png"] {
            let found = scan(world(.any), [song("a.png")], [(0, key)])
            #expect(found.claimed == [0], "\(key)")
            #expect(found.meant(by: 0).objects.map(\.object.difference) == [.twin], "\(key)")
        }
    }

    @Test("a reference that is at rest claims nothing, and one that went claims nothing any more")
    func atRest() {
        let own = (0, "private/eu:1/a.png")
        let rest = scan(world(), [song("a.png")], [own, (0, "private/eu:1/A.png")])
        #expect(rest.protected.isEmpty)
        let world = world()
        let dangling = world.join([song("a.png")], []).dangling
        let gone = world.confirm(
            [song("other")], wanted: [(0, "private/eu:1/A.png")], dangling: dangling)
        #expect(gone.protected.isEmpty && gone.standing.isEmpty)
    }

    @Test("levels that end within a segment are read as well")
    func oddLevels() {
        var world = world(.named("own"))
        world.resolver = KeyResolver(levels: [
            AccessLevel(name: "own", prefix: "u-{identity}-"),
            AccessLevel(name: "all", prefix: "all-"),
        ])
        let found = scan(world, [song("a.png")], [(0, "all-a.png"), (0, "u-eu:2-a.png")])
        #expect(found.claimed == [0, 1])
        #expect(
            Set(found.meant(by: 0).objects.map(\.object.difference)) == [.level, .identity])
    }

    @Test("so are levels in which a value follows the identity without anything between")
    func levelsWithoutTail() {
        var world = world(.named("own"))
        world.resolver = KeyResolver(levels: [AccessLevel(name: "own", prefix: "u/{identity}")])
        let found = scan(world, [song("album/a.png")], [(0, "u/eu:2album/a.png")])
        #expect(found.claimed == [0])
        let twin = scan(world, [song("a.png")], [(0, "u/eu:1A.png")])
        #expect(twin.claimed == [0])
    }

    @Test(
        "so are keys of which the level is spelt in another way too",
        arguments: [
            ("private/{identity}/", "plain-long.png", "private%2Fid1%2Fplain-long.png"),
            ("private/{identity}/", "plain-long.png", "PRIVATE%2Fid1%2FPlain-long.png"),
            ("private/{identity}/", "Caf\u{E9}-long.png", "private%2Fid1%2FCaf%C3%A9-long.png"),
            ("u/{identity}_\u{E9}", "r0005.png", "u/J%C3%BCrgen0_%C3%A9r0005.png"),
            ("u/{identity}_\u{E9}", "r0005.png", "u/id1_e\u{301}r0005.png"),
            ("u/{identity}_\u{C9}", "r0005.png", "u/id1_\u{E9}r0005.png"),
            ("U/x{identity}y", "r0005.png", "u/xid1yr0005.png"),
            ("u/{identity} ", "r0005.png", "u/id1%20r0005.png"),
            ("u/{identity}+", "r0005.png", "u/id1 r0005.png"),
        ])
    func looseLevels(prefix: String, value: String, key: String) {
        var world = world(.named("own"))
        world.resolver = KeyResolver(levels: [
            AccessLevel(name: "own", prefix: prefix), AccessLevel(name: "guest", prefix: "public/"),
        ])
        for identity in [nil, "id9"] as [String?] {
            let row = song(value, identity)
            #expect(scan(world, [row], [(0, key)]).claimed == [0], "\(identity ?? "unknown")")
            let whole = World.batch("Whole", [["id": "w", "key": .text(Array(key.utf8))]])
            let referenced = scan(world, [row, whole], [(0, key)])
            #expect(referenced.meant(by: 0).objects.map(\.object.key) == [ObjectKey(key)])
        }
        let other = "public%2F" + value
        #expect(scan(world, [song(value, "id1")], [(0, other)]).claimed == [0])
    }

    @Test("every pair of twins is found through the filter that skips most keys")
    func filter() {
        var random = SeededGenerator("filter")
        let letters = ["a", "B", "%41", "+", "%2F", "/", "\u{E9}", "e\u{301}", " ", "%20", ";"]
        for _ in 0..<300 {
            let held = "k" + random.some(4) { $0.one(of: letters) }.joined()
            let listed = "K" + random.some(4) { $0.one(of: letters) }.joined()
            guard held != listed, KeyRule.fault(in: Array(held.utf8)) == nil else { continue }
            let wanted = TwinForm(Array(held.utf8)) == TwinForm(Array(listed.utf8))
            let found = scan(world(), [song(held)], [(0, "private/eu:1/" + listed)])
            let isTwin = found.meant(by: 0).objects.contains { $0.object.difference == .twin }
            #expect(isTwin == wanted, "\(held) \(listed)")
        }
    }
}
