import MooringModel
import MooringPipeline
import Testing

/// Relations whose value is none of a parent that is gone: a word for none, more than an
/// identifier, or a record of another table.
@Suite("Relations that may mean no parent, another one, or another table")
struct DoubtfulParentTests {
    private static let strategies: [Strategy] = [.deleteRecord, .nullify]

    private static func file(_ strategy: Strategy) -> String {
        """
        version: 1
        ledger: ./ledger
        records:
          - name: app
            sqlite: ./app.sqlite
            models:
              - {model: Folder, table: folders, changed: changed, deleted: deleted}
              - model: Note
                changed: changed
                relations: [{field: on_id, model: Folder}]
        buckets: [{name: media, directory: ./media, quarantine: .q/}]
        race: {preset: standard}
        limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
        repair: {dangling-relation: \(strategy.rawValue)}
        """
    }

    /// A world with the folder `1` and a note on it.
    private func world(_ strategy: Strategy, kind column: String = "colour") throws -> World {
        let world = try World(
            Self.file(strategy),
            tables: [
                ("folders", ["id", "changed", "deleted"]),
                ("Note", ["id", "on_id", "changed", column]),
            ])
        world.source.insert("folders", ["id": .integer(1), "changed": .moment(World.longAgo)])
        add(world, "first", on: .integer(1))
        return world
    }

    private func add(
        _ world: World, _ id: String, on parent: FieldValue,
        _ kind: (column: String, value: FieldValue) = ("colour", .text("red"))
    ) {
        world.source.insert(
            "Note",
            [
                "id": .text(id), "on_id": parent, "changed": .moment(World.longAgo),
                kind.column: kind.value,
            ])
    }

    /// What is found of the notes over several runs, all of them alike.
    private func found(_ world: World, steps: Int) async throws -> [Finding] {
        var found: [Finding] = []
        for _ in 0..<3 {
            let audit = try await world.audit()
            found = audit.findings.filter { $0.kind == .danglingRelation }
            #expect(try world.plan(audit).steps.count <= steps)
            world.clock.advance(Sample.grace + .hours(2))
        }
        #expect(try world.plan(try await world.audit()).steps.count == steps)
        return found
    }

    @Test("a value that says none is undecided, and the child stays", arguments: strategies)
    func none(strategy: Strategy) async throws {
        let world = try world(strategy)
        let values: [FieldValue] =
            [.integer(0), .integer(-1), .blob(Array(repeating: 0, count: 16))]
            + [
                "00000000-0000-0000-0000-000000000000", "0.0", "null", "None", "(root)", "N/A", "-",
                "[]", " ", "\\N", "-1.5",
            ].map { .text($0) }
        for (number, value) in values.enumerated() { add(world, "n\(number)", on: value) }
        let found = try await found(world, steps: 0)
        #expect(found.count == values.count)
        #expect(found.allSatisfy { $0.verdict == .undecided && $0.action == .keep })
        #expect(found.allSatisfy { $0.evidence.last?.hasSuffix("say that there is none") == true })
    }

    @Test("a value that holds a present parent's identifier is undecided", arguments: strategies)
    func inside(strategy: Strategy) async throws {
        let world = try world(strategy)
        let values = [
            "1,2", "[2,1]", "/folders/1", "gid://app/Folder/1", "Folder:1", "{\"id\":01}", "2;1",
        ]
        for (number, value) in values.enumerated() { add(world, "n\(number)", on: .text(value)) }
        let found = try await found(world, steps: 0)
        #expect(found.count == values.count)
        #expect(found.allSatisfy { $0.verdict == .undecided && $0.action == .keep })
        #expect(
            found.allSatisfy { finding in
                let value = String(decoding: finding.value ?? [], as: UTF8.self)
                return finding.evidence.last
                    == "Folder '1' in app is there, and '\(value)' may mean it"
            })
    }

    @Test("what names nothing that is there, or a parent that is marked as deleted, is no doubt")
    func plain() async throws {
        let world = try world(.nullify)
        world.source.insert(
            "folders",
            ["id": .integer(0), "changed": .moment(World.longAgo), "deleted": .integer(1)])
        add(world, "a", on: .integer(0))
        for (number, value) in ["10", "2,3", "1-2", "00000001-0000-0000-0000-000000000000"]
            .enumerated()
        {
            add(world, "n\(number)", on: .text(value))
        }
        let found = try await found(world, steps: 5)
        #expect(found.count == 5 && found.allSatisfy { $0.verdict == .settled })
    }

    private static let oddMarks: [FieldValue] =
        [.integer(-1), .integer(7), .real(0.5), .blob([0]), .blob([1])]
        + [
            "0000-00-00 00:00:00", "1970-01-01", "9999-12-31", "infinity", "active", "never",
            "off", "-1", " ", "\0", "none", "2999-01-01T00:00:00Z",
        ].map { .text($0) }

    @Test(
        "a parent whose mark of deletion is no clear yes is undecided, and the child stays",
        arguments: strategies)
    func oddMarks(strategy: Strategy) async throws {
        let world = try world(strategy)
        for (number, mark) in Self.oddMarks.enumerated() {
            let id = FieldValue.text("f\(number)")
            world.source.insert(
                "folders", ["id": id, "changed": .moment(World.longAgo), "deleted": mark])
            add(world, "n\(number)", on: id)
        }
        let found = try await found(world, steps: 0)
        #expect(found.count == Self.oddMarks.count)
        #expect(found.allSatisfy { $0.verdict == .undecided && $0.action == .keep })
        #expect(
            found.allSatisfy { $0.evidence.last?.contains("neither a clear yes") == true })
    }

    @Test("a parent that is there again, or in doubt, or cannot be seen, keeps its child as it is")
    func behindPlan() async throws {
        for (mark, outcome, words) in [
            (.null, .stale, "its parent is there"),
            (.integer(7), .stale, "its parent's mark of deletion is no clear yes"),
            (nil, .failed, "it could not be looked at: its parent could not be looked at: "),
        ] as [(FieldValue?, StepOutcome, String)] {
            let world = try world(.nullify)
            add(world, "n", on: .text("gone"))
            _ = try await found(world, steps: 1)
            let plan = try world.plan(try await world.audit())
            if let mark {
                world.source.insert(
                    "folders",
                    ["id": .text("gone"), "changed": .moment(World.longAgo), "deleted": mark])
            } else {
                // Behind the first, which reads the note.
                for number in 2...8 { world.script.fail(.before, .rows, number) }
            }
            let result = try #require(try await world.repair(plan).first)
            world.script.mayMiss()
            #expect(result.outcome == outcome)
            #expect(result.reason?.hasPrefix(words) == true, "\(result.reason ?? "")")
            #expect(world.source.records("Note").contains { $0["on_id"] == .text("gone") })
        }
    }

    @Test("a clear yes and a time in the past mark a parent as deleted")
    func clearMarks() async throws {
        let world = try world(.nullify)
        let marks: [FieldValue] =
            [.integer(1), .real(1), .moment(World.longAgo)]
            + ["1", "TRUE", "t", "Yes", "y", "2020-01-02 03:04:05", "2020-01-02"].map {
                .text($0)
            }
        for (number, mark) in marks.enumerated() {
            let id = FieldValue.text("f\(number)")
            world.source.insert(
                "folders", ["id": id, "changed": .moment(World.longAgo), "deleted": mark])
            add(world, "n\(number)", on: id)
        }
        let found = try await found(world, steps: marks.count)
        #expect(found.allSatisfy { $0.verdict == .settled })
    }

    @Test(
        "where a column beside the relation says which table it means, it is undecided",
        arguments: ["on_type", "onType", "on_id_type", "onKind"])
    func beside(column: String) async throws {
        let world = try world(.deleteRecord, kind: column)
        add(world, "other", on: .text("a7"), (column, .text("Album")))
        add(world, "none", on: .text("a8"), (column, .null))
        add(world, "own", on: .text("a9"), (column, .text("App\\Folder")))
        let found = try await found(world, steps: 1)
        #expect(found.count == 3)
        for finding in found where finding.record?.identity.id.text != "own" {
            #expect(finding.verdict == .undecided && finding.action == .keep)
            #expect(finding.evidence.last == "\(column) may say that another table is meant")
        }
    }

    @Test("a column of kinds is such a column once it names the relation's own model")
    func kinds() async throws {
        for isNamed in [false, true] {
            let world = try world(.deleteRecord, kind: "kind")
            add(world, "second", on: .integer(1), ("kind", .text(isNamed ? "folders" : "draft")))
            add(world, "other", on: .text("a7"), ("kind", .text("Album")))
            let found = try await found(world, steps: isNamed ? 0 : 1)
            #expect(found.map(\.verdict) == [isNamed ? .undecided : .settled])
        }
    }
}
