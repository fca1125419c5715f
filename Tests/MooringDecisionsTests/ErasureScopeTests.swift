import MooringDecisions
import MooringModel
import Testing

@Suite("What a deletion request means")
struct ErasureScopeTests {
    private let buckets = [
        BucketMapping(name: "media", prefixes: [ObjectKey("app/")], derived: ["thumbs/{key}.jpg"]),
        BucketMapping(name: "other"),
    ]

    private func scope(
        _ request: ErasureScope.Request, bucket: String? = nil,
        levels: [AccessLevel] = AccessLevel.amplify
    ) throws -> ErasureScope {
        try ErasureScope(request, bucket: bucket, levels: levels, buckets: buckets)
    }

    private func covers(_ scope: ErasureScope, _ key: String, bucket: String = "media") -> Bool {
        scope.covers(bucket: bucket, key: ObjectKey(key))
    }

    @Test("an identity means every level that has one, exactly, with what is derived")
    func identity() throws {
        let scope = try scope(.identity([UInt8]("me")))
        for key in [
            "private/me/a", "protected/me/a/b", "private/me/", "thumbs/private/me/a.jpg",
        ] {
            #expect(covers(scope, key), "\(key)")
        }
        for key in [
            "private/me", "private/me2/a", "private/ME/a", "private/x/me/a", "public/me/a", "me/a",
            "thumbs/private/me/a.png", "thumbs/private/me2/a.jpg", "",
        ] {
            #expect(!covers(scope, key), "\(key)")
        }
        #expect(covers(scope, "private/me/a", bucket: "any"))
        #expect(!covers(scope, "thumbs/private/me/a.jpg", bucket: "other"))
        #expect(!scope.coversWhole)
    }

    @Test("one bucket means no other")
    func bucket() throws {
        let scope = try scope(.identity([UInt8]("me")), bucket: "other")
        #expect(covers(scope, "private/me/a", bucket: "other"))
        #expect(!covers(scope, "private/me/a"))
        #expect(!covers(scope, "thumbs/private/me/a.jpg"))
    }

    @Test("bytes are compared, not characters")
    func bytes() throws {
        let scope = try scope(.identity([0xFF, 0]))
        #expect(
            scope.covers(
                bucket: "media", key: ObjectKey([UInt8]("private/") + [0xFF, 0, 0x2F, 0x61])))
        let composed = try self.scope(.identity([UInt8]("\u{E9}")))
        #expect(!covers(composed, "private/e\u{301}/a"))
    }

    @Test("an identity that could mean somebody else's objects is refused")
    func ambiguous() throws {
        for (identity, levels) in [
            ("", AccessLevel.amplify), ("a/b", AccessLevel.amplify),
            ("me", [AccessLevel(name: "own", prefix: "u-{identity}")]),
            ("me", [AccessLevel(name: "own", prefix: "u-{identity}-x")]),
            ("me", [AccessLevel(name: "guest", prefix: "public/")]),
        ] {
            #expect(throws: ErasureScope.Doubt.self, "\(identity) \(levels)") {
                try scope(.identity([UInt8](identity)), levels: levels)
            }
        }
        let fit = try scope(
            .identity([UInt8]("me")),
            levels: [AccessLevel(name: "own", prefix: "u-{identity}-x/")])
        #expect(covers(fit, "u-me-x/a") && !covers(fit, "u-me-y-x/a"))
    }

    @Test("a request that may mean too much is answered by what to give in its place")
    func doubts() {
        let guest = [AccessLevel(name: "guest", prefix: "public/")]
        let open = [AccessLevel(name: "own", prefix: "u-{identity}")]
        let alone = "give the identity alone, or the whole prefix with --prefix"
        for (request, levels, found, next) in [
            (
                ErasureScope.Request.identity([]), AccessLevel.amplify,
                "an identity is one part of a key, neither empty nor with a slash", alone
            ),
            (
                .identity([UInt8]("a/b")), AccessLevel.amplify,
                "an identity is one part of a key, neither empty nor with a slash", alone
            ),
            (
                .identity([UInt8]("me")), open,
                "the prefix of level 'own' does not end the identity with a slash, so that longer "
                    + "identities would be meant too", "give each prefix with --prefix"
            ),
            (
                .identity([UInt8]("me")), guest, "no level's prefix holds {identity}",
                "correct levels in the configuration, or give the prefix with --prefix"
            ),
            (
                .prefix([]), guest, "an empty prefix means every object",
                "give the prefix of the objects that are meant"
            ),
            (
                .prefix([UInt8]("pub")), guest,
                "the prefix is only the beginning of that of level 'guest', so that all of it "
                    + "would be meant", "spell the whole prefix out if that is meant"
            ),
        ] {
            let doubt = #expect(throws: ErasureScope.Doubt.self) {
                try scope(request, levels: levels)
            }
            #expect(doubt?.found == found && doubt?.next == next)
        }
    }

    @Test("a prefix of a whole level or bucket is to be spelled out; the empty one never is")
    func prefixes() throws {
        for prefix in ["", "p", "pri", "private", "protected", "public", "a", "app"] {
            #expect(throws: ErasureScope.Doubt.self, "\(prefix)") {
                try scope(.prefix([UInt8](prefix)))
            }
        }
        for (prefix, whole) in [
            ("private/", true), ("app/", true), ("public/", true), ("private/m", false),
            ("x", false), ("app/x", false),
        ] {
            #expect(try scope(.prefix([UInt8](prefix))).coversWhole == whole, "\(prefix)")
        }
        #expect(covers(try scope(.prefix([UInt8]("private/m"))), "private/me/a"))
    }

    @Test("words are found where a key may begin, and not inside of another key")
    func words() throws {
        let words = ErasureWords(try scope(.identity([UInt8]("me"))))
        for text in ["\"private/me/a\"", "from 'private/me/a'", "private/me/a", "<b>private/me/"] {
            #expect(ErasureWords.stand(words.inJSON, in: [UInt8](text)), "\(text)")
        }
        for text in ["x/private/me/a", "private/me2/", "private/m", ""] {
            #expect(!ErasureWords.stand(words.inJSON, in: [UInt8](text)), "\(text)")
        }
        for value in ["private/me/a", "[\"private/me/a\"]", "https://h/private/me/a"] {
            #expect(words.isHeld(in: [UInt8](value)), "\(value)")
        }
        for value in ["private/me2/a", "private/me", "private/m/e/a"] {
            #expect(!words.isHeld(in: [UInt8](value)), "\(value)")
        }
        #expect(words.name([UInt8]("cannot read files/private/me")))
        #expect(!words.name([UInt8]("cannot read files/private/you")))
        // A common word alone is none; with what stands before it in a derived key it is.
        #expect(ErasureWords(try scope(.prefix([UInt8]("x")))).heads == [[UInt8]("thumbs/x")])
        let hostile = ErasureWords(try scope(.identity([0xFF])))
        #expect(hostile.inJSON.isEmpty && hostile.name([UInt8]("private/") + [0xFF]))
    }
}
