import MooringDecisions
import MooringModel
import Testing

@Suite("What a store can be trusted with")
struct StoreRuleTests {
    @Test("A key whose place in quarantine would be too long is not taken out of its bucket")
    func place() {
        var bucket = BucketMapping(name: "media", quarantine: ObjectKey(".q/"))
        let rest = 1_024 - 3 - RunID.length - 1
        for strategy in Strategy.allCases {
            let isTaken = strategy == .quarantine || strategy == .delete
            for (count, fits) in [(rest, true), (rest + 1, false)] {
                let key = ObjectKey(Array(repeating: 0x6B, count: count))
                let lack = StoreRule.lack(ofPlaceFor: key, in: bucket, for: strategy)
                #expect((lack == nil) == (fits || !isTaken))
            }
        }
        bucket.isFolder = true
        let long = ObjectKey(Array(repeating: 0x6B, count: 1_024))
        #expect(StoreRule.lack(ofPlaceFor: long, in: bucket, for: .quarantine) == nil)
    }

    private func store(
        _ versioning: StoreCapabilities.Versioning, deletes: StoreCapabilities.Trial,
        tags: StoreCapabilities.Trial = .honoured
    ) -> StoreCapabilities {
        StoreCapabilities(
            versioning: versioning, conditionalDelete: deletes, conditionalBatch: deletes,
            conditionalWrite: deletes, conditionalCopy: deletes, exclusiveCopy: deletes,
            tagging: tags, multipartCopy: .honoured)
    }

    @Test("a store without versions and conditions takes a quarantine of keys used once only")
    func quarantine() {
        for trial in [StoreCapabilities.Trial.ignored, .refused("no"), .unknown("?")] {
            for versioning in [StoreCapabilities.Versioning.never, .suspended] {
                let weak = store(versioning, deletes: trial)
                #expect(
                    StoreRule.lack(of: weak, for: .quarantine, neverReused: false)
                        == "the store keeps no versions and deletes whatever is there "
                        + "(\(trial.words)), and this key may be uploaded to again")
                #expect(StoreRule.lack(of: weak, for: .quarantine, neverReused: true) == nil)
            }
            let versioned = store(.enabled, deletes: trial)
            #expect(StoreRule.lack(of: versioned, for: .quarantine, neverReused: false) == nil)
        }
        let conditional = store(.never, deletes: .honoured)
        #expect(StoreRule.lack(of: conditional, for: .quarantine, neverReused: false) == nil)
        #expect(StoreRule.lack(of: .folder, for: .quarantine, neverReused: false) == nil)
    }

    @Test("nothing is deleted at once where the same bytes uploaded again are not told apart")
    func deletion() {
        for reuse in [false, true] {
            #expect(
                StoreRule.lack(
                    of: store(.never, deletes: .honoured), for: .delete, neverReused: reuse) != nil)
            #expect(
                StoreRule.lack(
                    of: store(.enabled, deletes: .ignored), for: .delete, neverReused: reuse)
                    == nil)
            #expect(StoreRule.lack(of: .folder, for: .delete, neverReused: reuse) == nil)
        }
    }

    @Test("an untried store is believed what it says of its versions, until its trial")
    func untried() {
        #expect(StoreRule.lackUntried(for: .delete, keepsVersions: false) != nil)
        #expect(StoreRule.lackUntried(for: .delete, keepsVersions: true) == nil)
        #expect(StoreRule.lackUntried(for: .quarantine, keepsVersions: false) == nil)
    }

    @Test("an object without an id is one of before versions were kept, unless a listing told it")
    func named() {
        let store = store(.enabled, deletes: .honoured)
        let key = ObjectKey("a")
        func version(_ id: String?) -> ObjectVersion {
            ObjectVersion(size: 1, etag: "e", lastModified: .distantPast, versionID: id)
        }
        #expect(store.concerning(key, version("v")).versioning == .enabled)
        #expect(store.concerning(key, listed: version("v")).versioning == .enabled)
        let nameless = store.concerning(key, version(nil))
        #expect(nameless.versioning == .suspended)
        #expect(nameless.versionsDoubt == "this object has no version id of its own")
        #expect(store.concerning(key, listed: version(nil)).versioning == .enabled)
        let old = version("null")
        #expect(store.concerning(key, old).versioning == .suspended)
        #expect(store.concerning(key, listed: old).versioning == .suspended)
        var partly = store
        partly.unversioned = [UnversionedKeys("a*")]
        #expect(
            partly.concerning(key, version("v")).versionsDoubt
                == "its versioning excludes this key")
        let weak = self.store(.enabled, deletes: .ignored).concerning(key, old)
        #expect(
            StoreRule.lack(of: weak, for: .quarantine, neverReused: false)
                == "the bucket says that it keeps versions, but this object has no version id of "
                + "its own; the store deletes whatever is there (tried: it ignores the "
                + "condition), and this key may be uploaded to again")
    }

    @Test("tags are set only where a trial showed that they can be")
    func tags() {
        #expect(
            StoreRule.lack(
                of: store(.enabled, deletes: .honoured, tags: .ignored), for: .tag,
                neverReused: true) != nil)
        #expect(
            StoreRule.lack(of: .folder, for: .tag, neverReused: true)
                == "the store tags no objects (it refuses: a folder has no tags)")
        #expect(
            StoreRule.lack(
                of: store(.never, deletes: .ignored), for: .tag, neverReused: false) == nil)
    }

    @Test("a move back that is no single act says so")
    func caveat() {
        #expect(StoreRule.caveat(of: store(.never, deletes: .ignored), bytes: 1) != nil)
        #expect(StoreRule.caveat(of: store(.enabled, deletes: .ignored), bytes: 1) == nil)
        #expect(StoreRule.caveat(of: .folder, bytes: 1) == nil)
    }

    @Test("what was seen of a store comes back from its JSON as it was")
    func roundTrip() throws {
        let stores = [
            StoreCapabilities.folder, store(.enabled, deletes: .ignored),
            store(.never, deletes: .unknown("a \"reason\"")),
        ]
        for store in stores {
            let node = try JSONNode(parsing: store.json.rendered)
            #expect(try StoreCapabilities(json: node) == store)
        }
    }
}

@Suite("Which keys are used once")
struct KeyReuseTests {
    private let resolver = KeyResolver(levels: AccessLevel.amplify)

    private func reuse(_ fields: [FileField]) -> KeyReuse {
        KeyReuse(fields: fields, bucket: "media", resolver: resolver)
    }

    private func field(
        _ template: String?, level: LevelChoice = .root, bucket: String? = nil,
        isComplex: Bool = false
    ) -> FileField {
        var field = FileField(field: "f")
        field.template = template.flatMap { KeyTemplate($0) }
        field.level = level
        field.bucket = bucket
        field.isComplex = isComplex
        return field
    }

    private let once = ObjectKey("s1-0b9f6f3e-3c1c-4d59-9d0f-2f1f8c7a6b5d")

    @Test("only a key that every fitting template fills with a fresh UUID")
    func fits() {
        let uuid = field("{id}-{uuid}")
        #expect(reuse([uuid]).isNeverReused(once))
        #expect(!reuse([uuid]).isNeverReused(ObjectKey("s1")))
        #expect(!reuse([]).isNeverReused(once))
        // Another template that fits it too may be filled with it again.
        #expect(!reuse([uuid, field("{id}")]).isNeverReused(once))
        #expect(!reuse([uuid, field("{*}")]).isNeverReused(once))
        // One that does not fit says nothing.
        #expect(reuse([uuid, field("covers/{id}")]).isNeverReused(once))
    }

    @Test("a field without a template may write to any key under its level")
    func withoutTemplate() {
        let uuid = field("{id}-{uuid}")
        #expect(!reuse([uuid, field(nil)]).isNeverReused(once))
        #expect(reuse([uuid, field(nil, level: .named("private"))]).isNeverReused(once))
        #expect(!reuse([uuid, field(nil, level: .any)]).isNeverReused(once))
        #expect(reuse([uuid, field(nil, bucket: "other")]).isNeverReused(once))
        #expect(!reuse([uuid, field(nil, bucket: "other", isComplex: true)]).isNeverReused(once))
    }
}
