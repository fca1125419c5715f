@testable import MooringDecisions
import MooringModel
import Testing

@Suite("Which bucket a reference names")
struct BucketNamesTests {
    private let meaning = ReferenceRule(
        buckets: [
            BucketMapping(name: "media", storeName: "app-files"),
            BucketMapping(name: "app-files", storeName: "other"),
            BucketMapping(name: "drafts"),
        ], resolver: KeyResolver(levels: []))
    private var names: BucketNames { meaning.names }
    private let key = ObjectKey("a.png")

    private func reference(_ bucket: String?) -> StoredReference {
        StoredReference(field: 0, index: nil, value: key.bytes, bucket: bucket.map { [UInt8]($0) })
    }

    private func mayMean(_ bucket: String?, _ number: Int, field: String? = nil) -> Bool {
        meaning.mayMean(
            key, in: number, by: reference(bucket), in: FileField(field: "file", bucket: field),
            identity: nil)
    }

    @Test("a name of the configuration goes before the store's own of another bucket")
    func order() {
        #expect(names.number(named: "app-files") == 1)
        #expect(names.number(named: "other") == 1)
        #expect(names.number(named: "media") == 0)
        #expect(names.number(named: "gone") == nil)
    }

    @Test("the same key in another bucket is another object, by either name")
    func otherBucket() {
        #expect(mayMean("media", 0))
        #expect(!mayMean("media", 1))
        #expect(mayMean("other", 1))
        #expect(!mayMean("other", 0))
        #expect(mayMean(nil, 2, field: "drafts"))
        #expect(!mayMean(nil, 0, field: "drafts"))
    }

    @Test("a name that nobody configured may mean every bucket, and no other key")
    func foreign() {
        #expect((0..<3).allSatisfy { mayMean("gone", $0) })
        #expect(
            !meaning.mayMean(
                ObjectKey("b.png"), in: 0, by: reference("gone"), in: FileField(field: "file"),
                identity: nil))
    }

    @Test("of several parts of one bucket of a store it is the one whose prefix holds the key")
    func parts() {
        let meaning = ReferenceRule(
            buckets: [
                BucketMapping(name: "photos", storeName: "app", prefixes: [ObjectKey("public/")]),
                BucketMapping(name: "papers", storeName: "app", prefixes: [ObjectKey("private/")]),
            ],
            resolver: KeyResolver(levels: [
                AccessLevel(name: "guest", prefix: "public/"),
                AccessLevel(name: "private", prefix: "private/{identity}/"),
            ]))
        func number(_ value: String, _ bucket: String, level: LevelChoice = .root) -> Int? {
            var field = FileField(field: "file")
            field.level = level
            return meaning.places(
                of: StoredReference(
                    field: 0, index: nil, value: [UInt8](value.utf8), bucket: [UInt8](bucket.utf8)),
                in: field, identity: nil
            ).bucket
        }
        #expect(number("public/a.png", "app") == 0)
        #expect(number("private/a.png", "app") == 1)
        #expect(number("private/a.png", "photos") == 0)
        // A level stands before the value.
        #expect(number("a.png", "app", level: .named("guest")) == 0)
        #expect(number("a.png", "app", level: .named("private")) == 1)
        // Where the key lies in neither, either may be meant.
        let bare = StoredReference(
            field: 0, index: nil, value: key.bytes, bucket: [UInt8]("app".utf8))
        for bucket in 0...1 {
            #expect(
                meaning.mayMean(
                    key, in: bucket, by: bare, in: FileField(field: "file"), identity: nil))
        }
    }
}
