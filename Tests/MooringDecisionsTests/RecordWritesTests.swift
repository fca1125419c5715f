import MooringDecisions
import MooringModel
import Testing

private let resolver = KeyResolver(levels: AccessLevel.amplify)
private let mapping = ModelMapping(
    model: "Song", version: "v", deleted: "gone",
    files: [
        FileField(field: "cover", level: .named("private"), template: KeyTemplate("{id}")),
        FileField(field: "images", isList: true), FileField(field: "file", isComplex: true),
    ])

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

@Suite("The write that links an orphan to its owner")
struct LinkingChangeTests {
    private func link(_ value: [UInt8], _ field: Int, _ old: FieldValue) -> FieldValue? {
        let name = mapping.files[field].field
        let change = LinkingChange.linking(
            value, field, of: RecordID("s"),
            in: (mapping, ["id": .text(bytes("s")), name: old, "v": .integer(4)]), at: now)
        #expect(change == nil || change?.expected.contains(ColumnValue(name, old)) == true)
        #expect(
            change == nil || change?.assignments.contains(ColumnValue("v", .integer(5))) == true)
        return change?.assignments.first { $0.column == name }?.value
    }

    @Test("a field that holds nothing gets the key, and one that holds another never does")
    func scalar() {
        for old in [FieldValue.null, .absent, .text([])] {
            #expect(link(bytes("k"), 0, old) == .text(bytes("k")))
        }
        #expect(link(bytes("k"), 0, .blob([])) == .blob(bytes("k")))
        #expect(link(bytes("k"), 0, .text(bytes("other"))) == nil)
        #expect(link([0xFF], 0, .null) == .text([0xFF]))
        #expect(link(bytes("a\nb"), 0, .null) == nil)
    }

    @Test("a list gets the key behind its others, and never twice in another spelling")
    func list() {
        #expect(link(bytes("k"), 1, .null) == .text(bytes("[\"k\"]")))
        #expect(link(bytes("k\""), 1, .text(bytes("[]"))) == .text(bytes("[\"k\\\"\"]")))
        #expect(
            link(bytes("k"), 1, .json(bytes("[ \"a\" , null ]")))
                == .json(bytes("[ \"a\" , null,\"k\" ]")))
        #expect(link(bytes("k"), 1, .text(bytes("[\"\\u006b\"]"))) == nil)
        #expect(link(bytes("k"), 1, .text(bytes("no list"))) == nil)
        #expect(link([0xFF], 1, .null) == nil)
        #expect(link(bytes("k"), 2, .null) == nil)
    }

    @Test("a value is found only where it means this one key")
    func value() {
        let key = ObjectKey("private/me/k")
        let file = mapping.files[0]
        #expect(
            LinkingChange.value(naming: key, in: file, identity: bytes("me"), resolver) == [107])
        #expect(LinkingChange.value(naming: key, in: file, identity: bytes("you"), resolver) == nil)
        #expect(LinkingChange.value(naming: key, in: file, identity: nil, resolver) == nil)
        let anywhere = FileField(field: "cover", level: .any)
        #expect(
            LinkingChange.value(naming: key, in: anywhere, identity: bytes("me"), resolver) == nil)
        #expect(
            LinkingChange.value(naming: key, in: mapping.files[1], identity: nil, resolver)
                == key.bytes)
    }

    @Test("a link that others wrote beside is taken out of the list alone")
    func puttingBack() throws {
        let change = try #require(
            LinkingChange.linking(
                bytes("k"), 1, of: RecordID("s"),
                in: (mapping, ["images": .text(bytes("[\"a\"]")), "v": .integer(1)]), at: now))
        func back(_ list: String) -> FieldValue? {
            FieldChange.puttingBack(
                change, mapping: mapping,
                row: ["images": .text(bytes(list)), "v": .integer(9)], at: now
            )?.assignments.first { $0.column == "images" }?.value
        }
        #expect(back("[\"a\",\"k\"]") == .text(bytes("[\"a\"]")))
        #expect(back("[\"k\",\"new\"]") == .text(bytes("[\"new\"]")))
        #expect(back("[\"new\"]") == nil)
        #expect(back("no list") == nil)
    }
}

@Suite("The write that makes a reference mean another object")
struct RepointingChangeTests {
    private func repoint(
        _ field: Int, _ value: String, to new: String, bucket: String? = nil, _ old: String
    ) -> String? {
        let name = mapping.files[field].field
        let change = RepointingChange.repointing(
            NullingChange.Target(
                id: RecordID("s"), field: field, value: bytes(value), bucketNames: ["media"]),
            to: RepointingChange.Meaning(value: bytes(new), bucket: bucket), mapping: mapping,
            row: [name: .text(bytes(old)), "v": .integer(1)], at: now)
        return change?.assignments.first { $0.column == name }?.value.bytes.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    @Test("every other byte of the field is kept")
    func forms() {
        #expect(repoint(0, "K", to: "k", "K") == "k")
        #expect(repoint(0, "K", to: "k", "other") == nil)
        #expect(
            repoint(1, "K", to: "k", "[ \"K\", null,\"a\", \"K\"]")
                == "[ \"k\", null,\"a\", \"k\"]")
        #expect(
            repoint(2, "K", to: "k\"", "{ \"region\":\"eu\",\"key\" : \"K\"}")
                == "{ \"region\":\"eu\",\"key\" : \"k\\\"\"}")
        #expect(
            repoint(2, "K", to: "K", bucket: "b", "{\"bucket\":\"media\",\"key\":\"K\"}")
                == "{\"bucket\":\"b\",\"key\":\"K\"}")
    }

    @Test("what cannot be written in the field's form is not written")
    func refused() {
        #expect(repoint(0, "K", to: "K", "K") == nil)
        #expect(repoint(0, "K", to: "a\nb", "K") == nil)
        // The object stands as a text inside a text, without bytes of its own.
        #expect(repoint(2, "K", to: "k", "\"{\\\"key\\\":\\\"K\\\"}\"") == nil)
        #expect(repoint(2, "K", to: "K", bucket: "b", "{\"key\":\"K\"}") == nil)
    }

    @Test("only a field that can name the target gets it")
    func meaning() {
        func meaning(_ key: String, in bucket: String = "media", _ field: FileField) -> String? {
            RepointingChange.meaning(
                of: ObjectPlace(bucket: bucket, key: ObjectKey(key)), inPlaceOf: bytes("K"),
                meaning: ObjectKey("private/me/K"), bucket: "media", field: field
            ).map { String(decoding: $0.value, as: UTF8.self) }
        }
        let (scalar, complex) = (mapping.files[0], mapping.files[2])
        #expect(meaning("private/me/k", scalar) == "k")
        #expect(meaning("private/you/K", scalar) == nil)
        #expect(meaning("public/K", scalar) == nil)
        #expect(meaning("private/me/", scalar) == nil)
        #expect(meaning("private/me/k", in: "other", scalar) == nil)
        #expect(meaning("private/me/k", in: "other", complex) == "k")
    }
}

@Suite("The write that removes a record")
struct RemovalChangeTests {
    private func removal(_ mapping: ModelMapping, gone: FieldValue) -> RecordChange? {
        RemovalChange.removing(
            RecordID("s"), mapping: mapping,
            row: ["id": .text([115]), "v": .integer(1), "gone": gone, "other": .real(2)], at: now)
    }

    @Test("without a mark of deletion the row goes, if it is as it was read in every column")
    func row() throws {
        var plain = mapping
        plain.deleted = nil
        let change = try #require(removal(plain, gone: .null))
        #expect(change.act == .delete && change.assignments.isEmpty)
        #expect(change.expected.map(\.column) == ["gone", "id", "other", "v"])
    }

    @Test(
        "with one the record becomes a tombstone, in the form of its own mark",
        arguments: [
            (FieldValue.null, FieldValue.integer(1)), (.integer(0), .integer(1)),
            (.text(Array("false".utf8)), .text(Array("true".utf8))), (.real(0), .real(1)),
        ])
    func tombstone(old: FieldValue, mark: FieldValue) throws {
        let change = try #require(removal(mapping, gone: old))
        #expect(change.act == .update && change.expected.count == 4)
        #expect(
            change.assignments == [ColumnValue("gone", mark), ColumnValue("v", .integer(2))])
    }

    @Test("a record that is a tombstone already, or whose mark has another form, is left")
    func refused() {
        for old in [FieldValue.integer(1), .text(Array("2026-01-01".utf8)), .blob([0])] {
            #expect(removal(mapping, gone: old) == nil)
        }
    }
}

@Suite("Which strategies fit which findings")
struct StrategyMatrixTests {
    @Test("every cause of the catalogue has one row, with its preset among its strategies")
    func rows() {
        let causes = Set(StrategyMatrix.rows.compactMap(\.cause))
        #expect(causes == Set(FindingCause.allCases))
        #expect(Set(StrategyMatrix.rows.map(\.kind)) == Set(FindingKind.allCases))
        let places = StrategyMatrix.rows.map { "\($0.kind) \(String(describing: $0.cause))" }
        #expect(Set(places).count == places.count)
        for row in StrategyMatrix.rows {
            #expect(row.strategies.first == .keep && row.strategies.contains(row.preset))
        }
    }

    @Test("the presets are what the policy does where the configuration says nothing")
    func presets() {
        for row in StrategyMatrix.rows {
            var finding = Sample.finding(row.kind, cause: row.cause)
            finding.owners = [Sample.identity()]
            let choice = PolicyChoice(policy: RepairPolicy(), race: Sample.standard)
            #expect(choice.strategy(for: finding) == row.preset, "\(row)")
        }
    }

    @Test("an object that is referenced somehow is never nulled, and a doubt deletes nothing")
    func safe() {
        for cause in [FindingCause.twin, .misplaced, .foreign, .quarantined] {
            for strategy in [Strategy.nullify, .deleteRecord] {
                #expect(!StrategyMatrix.takes(strategy, .dangling, cause))
            }
        }
        #expect(!StrategyMatrix.takes(.relink, .orphan, .superseded))
    }
}
