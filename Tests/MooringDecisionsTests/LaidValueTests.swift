import MooringDecisions
import MooringModel
import Testing

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private func field(
    _ name: String = "f", _ layout: String = "{key:0:2}/{key:2:2}/{key}",
    level: LevelChoice = .named("guest"), template: String? = nil
) throws -> FileField {
    var field = FileField(
        field: name, level: level, template: template.flatMap { KeyTemplate($0) })
    field.stored = try StoredLayout(layout)
    return field
}

@Suite("Values that become keys by a layout")
struct LaidValueTests {
    private func resolver(_ fields: [FileField]) -> KeyResolver {
        KeyResolver(levels: AccessLevel.amplify, fields: fields)
    }

    @Test("the layout stands behind level and identity")
    func places() throws {
        let fields = [try field(), try field(level: .named("private")), try field(level: .any)]
        let rule = ReferenceRule(
            buckets: [BucketMapping(name: "media")], resolver: resolver(fields))
        let mapping = ModelMapping(model: "Song", files: [FileField(field: "f")])
        let reader = try #require(RecordReader(mapping: mapping, columns: ["id", "f"]))
        let row = reader.read([.text([1]), .text(bytes("abcdef"))])
        let reference = try #require(row?.references.first)
        func shown(_ field: FileField, _ identity: String?) -> [String] {
            rule.places(of: reference, in: field, identity: identity.map(bytes)).patterns
                .map(\.shown.text)
        }
        #expect(shown(fields[0], nil) == ["public/ab/cd/abcdef"])
        #expect(shown(fields[1], "me") == ["private/me/ab/cd/abcdef"])
        #expect(shown(fields[1], nil) == ["private/{identity}/ab/cd/abcdef"])
        #expect(
            shown(fields[2], "me") == [
                "ab/cd/abcdef", "public/ab/cd/abcdef", "protected/me/ab/cd/abcdef",
                "private/me/ab/cd/abcdef",
            ])
        func mayMean(_ key: String) -> Bool {
            rule.mayMean(ObjectKey(key), in: 0, by: reference, in: fields[0], identity: nil)
        }
        #expect(mayMean("public/ab/cd/abcdef") && !mayMean("public/abcdef"))
    }

    @Test("a key is read as it stands and by each layout that gives it, and never by another")
    func readings() throws {
        let resolver = resolver([
            try field(), try field("g", "{key}.jpg"), try field("h", "{key}"), try field("i"),
        ])
        #expect(resolver.layouts.map(\.text) == ["{key:0:2}/{key:2:2}/{key}", "{key}.jpg"])
        func read(_ key: String) -> [String] {
            resolver.readings(of: ObjectKey(key)).map {
                let value = String(decoding: $0.relative, as: UTF8.self)
                return "\($0.level ?? "root") \($0.stored.text) \(value)"
            }
        }
        #expect(
            read("public/ab/cd/abcd.jpg") == [
                "root {key} public/ab/cd/abcd.jpg", "guest {key} ab/cd/abcd.jpg",
                "root {key}.jpg public/ab/cd/abcd",
                "guest {key:0:2}/{key:2:2}/{key} abcd.jpg", "guest {key}.jpg ab/cd/abcd",
            ])
        #expect(read("ab/cd/abXd") == ["root {key} ab/cd/abXd"])
        #expect(resolver.plainReadings(of: ObjectKey("ab/cd/abcd")).count == 1)
        #expect(
            resolver.names(of: ObjectKey("ab/cd/abcd")) == [bytes("ab/cd/abcd"), bytes("abcd")])
        #expect(!resolver.endsInValue)
    }

    @Test("without its layout a key is the value behind the same level and identity")
    func unlaid() throws {
        let file = try field()
        let resolver = resolver([file])
        func unlaid(_ pattern: KeyPattern) -> [KeyPattern] {
            resolver.unlaid(pattern, by: file.stored)
        }
        #expect(
            unlaid(.exact(ObjectKey("private/me/ab/cd/abcd")))
                == [.exact(ObjectKey("private/me/abcd"))])
        #expect(
            unlaid(.anyIdentity(head: bytes("private/"), rest: bytes("/ab/cd/abcd")))
                == [.anyIdentity(head: bytes("private/"), rest: bytes("/abcd"))])
        #expect(unlaid(.exact(ObjectKey("private/me/abcd"))) == [])
    }

    @Test("who can read an object is told by its level, whatever layouts fit")
    func readers() throws {
        let levels = [("guest", "app/"), ("private", "app/own/")].map {
            AccessLevel(name: $0, prefix: $1)
        }
        let resolver = KeyResolver(levels: levels, fields: [try field("f", "own/covers/{key}")])
        #expect(ExposureRule.readers(of: ObjectKey("app/own/covers/x"), resolver) == .owner)
        #expect(ExposureRule.readers(of: ObjectKey("app/other/x"), resolver) == .anyone)
        #expect(ExposureRule.readers(of: ObjectKey("own/covers/app/own/x"), resolver) == nil)
    }

    @Test("a value too short for its layout is no key, hides what it names, and protects")
    func short() throws {
        for isList in [false, true] {
            var file = try field()
            file.isList = isList
            let mapping = ModelMapping(model: "Song", files: [file])
            let reader = try #require(RecordReader(mapping: mapping, columns: ["id", "f"]))
            let value = isList ? "[\"abc\", \"abcd\"]" : "abc"
            let reading = try #require(reader.read([.text([1]), .text(bytes(value))]))
            #expect(reading.references.map(\.value).first == bytes("abc"))
            #expect(reading.unusable.map(\.value) == [bytes("abc")])
            #expect(reading.unusable.map(\.hidesReferences) == [true])
            #expect(reading.unusable[0].reason.contains("shorter than the 4 bytes"))
        }
    }

    @Test("a link and a repointed reference hold the value and not the key")
    func writes() throws {
        let file = try field()
        let resolver = resolver([file, try field("g", "{key}")])
        func value(_ key: String, _ file: FileField) -> [UInt8]? {
            LinkingChange.value(naming: ObjectKey(key), in: file, identity: nil, resolver)
        }
        #expect(value("public/ab/cd/abcdef", file) == bytes("abcdef"))
        #expect(value("public/abcdef", file) == nil)
        // Too short to be written.
        #expect(value("public/ab/c/abc", file) == nil)
        #expect(value("public/ab/cd/abcdef", try field("g", "{key}")) == bytes("ab/cd/abcdef"))
        func meaning(_ target: String) -> [UInt8]? {
            RepointingChange.meaning(
                of: ObjectPlace(bucket: "media", key: ObjectKey(target)),
                inPlaceOf: bytes("abcdef"), meaning: ObjectKey("public/ab/cd/abcdef"),
                bucket: "media", field: file)?.value
        }
        #expect(meaning("public/AB/CD/ABCDEF") == bytes("ABCDEF"))
        #expect(meaning("public/abcdef") == nil && meaning("public/ab/c/abc") == nil)
        #expect(meaning("private/me/ab/cd/abcdef") == nil)
    }

    @Test("a template is held against the value; a field without one may write to any key")
    func reuse() throws {
        let key = ObjectKey("public/s1/-0/s1-0b9f6f3e-3c1c-4d59-9d0f-2f1f8c7a6b5d")
        func isOnce(_ fields: [FileField]) -> Bool {
            KeyReuse(fields: fields, bucket: "media", resolver: resolver(fields))
                .isNeverReused(key)
        }
        let once = try field(template: "s1-{uuid}")
        #expect(isOnce([once]))
        #expect(!isOnce([try field("g", "{key}", template: "s1-{uuid}")]))
        #expect(!isOnce([try field(template: "s1/{*}/s1-{uuid}")]))
        #expect(!isOnce([once, try field("g", template: "{*}")]))
        #expect(!isOnce([once, try field("g", "{key}.jpg")]))
    }

    @Test("a field covers readings of its own layout alone")
    func covers() throws {
        let (laid, plain) = (try field(), try field("g", "{key}"))
        let readings = resolver([laid]).readings(of: ObjectKey("public/ab/cd/abcd"))
        #expect(readings.filter(laid.covers).map(\.relative) == [bytes("abcd")])
        #expect(readings.filter(plain.covers).map(\.relative) == [bytes("ab/cd/abcd")])
    }
}
