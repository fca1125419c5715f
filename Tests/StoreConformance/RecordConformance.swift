package import MooringModel
import Testing

/// What the rows of a store can hold; what it cannot hold is left out of the checks.
package struct RecordTraits: Sendable {
    /// Whether a column may hold a value of any class, as in SQLite; else `id`, `cover`, `pk`,
    /// `sk`, `name` and `value` hold texts, and `version` and `file` whole numbers.
    package var mixesClasses = true
    /// Whether a text may hold bytes that are not UTF-8.
    package var holdsAnyBytes = true
    /// Whether a text may hold NUL.
    package var holdsNUL = true
    /// Whether an identifier may be empty.
    package var holdsEmptyID = true
    /// Whether two rows may have one identifier.
    package var holdsDuplicates = true
    /// Whether every row of a table has the same columns, so that others are known to be missing.
    package var hasFixedColumns = true
    /// Whether an identifier of several parts may be read and written.
    package var holdsPairs = true
    /// Whether a row can be removed and put back as it was.
    package var removesRows = true

    /// The traits of a store that holds everything, as SQLite does.
    package init() {}

    /// Whether a text may hold these bytes.
    func holds(_ text: [UInt8]) -> Bool {
        (holdsAnyBytes || String(validating: text, as: UTF8.self) != nil)
            && (holdsNUL || !text.contains(0))
    }
}

/// A record source under test, with a way around it to its rows.
package protocol RecordFixture: Sendable {
    /// The source; it holds the tables that `RecordConformance.tables` describes.
    var source: any ActingRecordSource { get }
    /// Adds a row to a table, as an app does.
    func insert(_ table: String, _ row: [FieldValue]) async throws
    /// All rows of a table, in any order.
    func stored(_ table: String) async throws -> [[FieldValue]]
}

/// What every live record source has to do, whatever it is made of; each check gets a source
/// whose tables are empty.
package struct RecordConformance {
    /// The tables that a fixture has to make: their columns have no default and, where the store
    /// takes that, no type and no key.
    package static let tables: [(name: String, columns: [String])] = [
        ("Song", ["id", "cover", "version"]), ("Pair", ["pk", "sk", "file"]),
        ("Setting", ["name", "value"]),
    ]

    private let make: @Sendable () async throws -> any RecordFixture
    private let traits: RecordTraits

    private static let allHostile: [[UInt8]] = [
        [], [0], [0xFF, 0xFE], Array("../up".utf8), Array("line\nbreak".utf8),
        Array("'; DROP TABLE Song; --".utf8), Array("<script>".utf8), Array("=cmd()".utf8),
        Array("\u{E9}".utf8), Array("e\u{301}".utf8), Array("A".utf8), Array("a".utf8),
    ]

    private var hostile: [[UInt8]] {
        Self.allHostile.filter { traits.holds($0) && (traits.holdsEmptyID || !$0.isEmpty) }
    }

    /// The checks of the sources that a closure makes, each new and empty.
    package init(
        _ traits: RecordTraits = RecordTraits(),
        _ make: @escaping @Sendable () async throws -> any RecordFixture
    ) {
        self.traits = traits
        self.make = make
    }

    /// Runs all checks; what does not hold is recorded as an issue.
    package func verify() async throws {
        try await scansColumns()
        try await scansEverything()
        try await namesWhatIsMissing()
        try await passesErrorsOfTheReceiverOn()
        try await readsRowsByBytes()
        if traits.holdsPairs { try await readsCompositeIdentifiers() }
        try await readsWhatWasJudged()
        try await writesOnlyWhatIsExpected()
        try await comparesStorageClasses()
        if traits.holdsDuplicates { try await refusesDuplicates() }
        try await failsWhereItCannotTell()
        try await namesColumns()
        if traits.removesRows { try await removesAndInserts() }
    }

    private func scansColumns() async throws {
        let fixture = try await make()
        for key in hostile {
            let cover: FieldValue = traits.mixesClasses ? .blob(key) : .text(key)
            try await fixture.insert("Song", [.text(key), cover, .integer(1)])
        }
        let last: FieldValue = traits.mixesClasses ? .real(1.5) : .integer(2)
        try await fixture.insert("Song", [.text([49]), .null, last])
        let scan = try await fixture.source.read(
            .columns([TableColumns(table: "Song", columns: ["version", "id"])]))
        #expect(scan.result.isComplete)
        #expect(scan.batches.allSatisfy { $0.table == "Song" && $0.columns == ["version", "id"] })
        let rows = scan.batches.flatMap(\.rows)
        #expect(rows.count == hostile.count + 1)
        #expect(
            Set(rows)
                == Set(
                    hostile.map { [.integer(1), .text($0)] } + [[last, .text([49])]]))
        #expect(scan.result.window.from <= scan.result.window.to)
    }

    private func scansEverything() async throws {
        let fixture = try await make()
        try await fixture.insert("Song", [.text([49]), .null, .integer(2)])
        try await fixture.insert("Setting", [.text([50]), .text([51])])
        for number in 0..<1_234 {
            let id = Array(String(number).utf8)
            try await fixture.insert("Pair", [.text(id), .text([52]), .null])
        }
        let scan = try await fixture.source.read(.everything)
        #expect(scan.result.isComplete)
        #expect(scan.batches.allSatisfy { $0.rows.count <= 1_000 })
        let columns = Dictionary(
            scan.batches.map { ($0.table, $0.columns) }, uniquingKeysWith: { first, _ in first })
        #expect(Set(columns["Song"] ?? []).isSuperset(of: ["id", "cover", "version"]))
        #expect(Set(columns["Setting"] ?? []).isSuperset(of: ["name", "value"]))
        #expect(scan.batches.filter { $0.table == "Pair" }.flatMap(\.rows).count == 1_234)
        for batch in scan.batches {
            #expect(batch.rows.allSatisfy { $0.count == batch.columns.count })
        }
    }

    private func namesWhatIsMissing() async throws {
        let fixture = try await make()
        try await fixture.insert("Song", [.text([49]), .null, .null])
        let fixed = [TableColumns(table: "Pair", columns: ["pk", "none"])]
        for columns in [TableColumns(table: "None", columns: ["id"])]
            + (traits.hasFixedColumns ? fixed : [])
        {
            let scan = try await fixture.source.read(
                .columns([columns, TableColumns(table: "Song", columns: ["id"])]))
            #expect(!scan.result.isComplete)
            #expect(!scan.result.problems.isEmpty)
            // What can be read is read in spite of it.
            #expect(scan.batches.filter { $0.table == "Song" }.flatMap(\.rows).count == 1)
        }
    }

    private func passesErrorsOfTheReceiverOn() async throws {
        let fixture = try await make()
        try await fixture.insert("Song", [.text([49]), .null, .null])
        await #expect(throws: Stopped.self) {
            _ = try await fixture.source.scan(.everything) { _ in throw Stopped() }
        }
        #expect(try await fixture.source.read(.everything).result.isComplete)
    }

    private func readsRowsByBytes() async throws {
        let fixture = try await make()
        for (number, key) in hostile.enumerated() {
            let cover = Array("cover \(number)".utf8)
            try await fixture.insert("Song", [.text(key), .text(cover), .null])
        }
        for (number, key) in hostile.enumerated() {
            let rows = try await fixture.source.rows(
                table: "Song", idColumns: ["id"], id: RecordID(key),
                columns: ["cover", "id", "cover"])
            let cover = FieldValue.text(Array("cover \(number)".utf8))
            #expect(rows == [[cover, .text(key), cover]])
        }
        if traits.mixesClasses {
            try await fixture.insert("Song", [.integer(7), .null, .null])
            try await fixture.insert("Song", [.blob([55]), .null, .null])
            let rows = try await fixture.source.rows(
                table: "Song", idColumns: ["id"], id: RecordID("7"), columns: ["id"])
            #expect(Set(rows) == [[.integer(7)], [.blob([55])]])
        }
        let none = try await fixture.source.rows(
            table: "Song", idColumns: ["id"], id: RecordID("07"), columns: ["id"])
        #expect(none.isEmpty)
    }

    private func readsCompositeIdentifiers() async throws {
        let fixture = try await make()
        try await fixture.insert("Pair", [.text([97]), .text([98, 47, 99]), .integer(1)])
        try await fixture.insert("Pair", [.text([97, 47, 98]), .text([99]), .integer(2)])
        let rows = try await fixture.source.rows(
            table: "Pair", idColumns: ["pk", "sk"],
            id: RecordID(parts: [[97, 47, 98], [99]]), columns: ["file"])
        #expect(rows == [[.integer(2)]])
    }

    private func readsWhatWasJudged() async throws {
        let fixture = try await make()
        for (number, key) in hostile.enumerated() {
            let cover: FieldValue = traits.mixesClasses && number % 2 == 0 ? .blob(key) : .text(key)
            let value: FieldValue = number % 3 == 0 ? .null : .integer(Int64(number) - 5)
            try await fixture.insert("Song", [.text(key), cover, value])
            try await fixture.insert("Setting", [.text(key), number % 2 == 0 ? .null : cover])
            guard traits.holdsPairs else { continue }
            try await fixture.insert("Pair", [.text([112]), .text(key), .integer(2_147_483_647)])
        }
        let source = fixture.source
        let count = hostile.count
        #expect(try await source.readsAtTheActWhatWasScanned("Song", id: ["id"]) == count)
        #expect(try await source.readsAtTheActWhatWasScanned("Setting", id: ["name"]) == count)
        guard traits.holdsPairs else { return }
        #expect(try await source.readsAtTheActWhatWasScanned("Pair", id: ["pk", "sk"]) == count)
    }

    private func writesOnlyWhatIsExpected() async throws {
        let fixture = try await make()
        let (key, other) = (FieldValue.text([75]), FieldValue.text([76]))
        try await fixture.insert("Song", [.text([49]), key, .integer(3)])
        try await fixture.insert("Song", [.text([50]), key, .integer(3)])
        let stale = [
            change(id: [49], [ColumnValue("cover", other)]),
            change(id: [49], [ColumnValue("cover", key), ColumnValue("version", .integer(4))]),
            change(id: [49], [ColumnValue("cover", .null)]),
            change(id: [51], [ColumnValue("cover", key)]),
        ]
        for change in stale {
            #expect(try await fixture.source.update(change).staleness != nil)
        }
        #expect(
            Set(try await fixture.stored("Song")) == [
                [.text([49]), key, .integer(3)], [.text([50]), key, .integer(3)],
            ])
        let right = change(
            id: [49], [ColumnValue("cover", key), ColumnValue("version", .integer(3))])
        #expect(try await fixture.source.update(right) == .written)
        #expect(
            Set(try await fixture.stored("Song")) == [
                [.text([49]), .null, .integer(3)], [.text([50]), key, .integer(3)],
            ])
        #expect(try await fixture.source.update(right).staleness != nil)
    }

    private func comparesStorageClasses() async throws {
        let fixture = try await make()
        try await fixture.insert("Song", [.text([49]), .text([75]), .integer(3)])
        for wrong in [
            ColumnValue("cover", .blob([75])), ColumnValue("version", .text([51])),
            ColumnValue("version", .real(3)), ColumnValue("version", .null),
            ColumnValue("cover", .json([75])),
        ] {
            #expect(try await fixture.source.update(change(id: [49], [wrong])).staleness != nil)
        }
        let mixed = [FieldValue.blob([0, 255]), .text([0, 255]), .real(0.5), .integer(-1), .null]
        let texts = [FieldValue.text([76]), .null, .text(Array("e\u{301}".utf8))]
        for value in traits.mixesClasses ? mixed : texts {
            let before = try await fixture.stored("Song")[0][1]
            let write = change(id: [49], [ColumnValue("cover", before)], to: value)
            #expect(try await fixture.source.update(write) == .written)
            #expect(try await fixture.stored("Song") == [[.text([49]), value, .integer(3)]])
        }
    }

    private func refusesDuplicates() async throws {
        let fixture = try await make()
        try await fixture.insert("Song", [.text([49]), .text([75]), .integer(3)])
        try await fixture.insert("Song", [.text([49]), .text([76]), .integer(3)])
        let write = change(id: [49], [ColumnValue("cover", .text([75]))])
        #expect(try await fixture.source.update(write).staleness != nil)
        #expect(try await fixture.stored("Song").count == 2)
        #expect(try await fixture.stored("Song").allSatisfy { $0[1] != .null })
        let rows = try await fixture.source.rows(
            table: "Song", idColumns: ["id"], id: RecordID("1"), columns: ["cover"])
        #expect(Set(rows) == [[.text([75])], [.text([76])]])
    }

    private func failsWhereItCannotTell() async throws {
        let fixture = try await make()
        try await fixture.insert("Song", [.text([49]), .text([75]), .integer(3)])
        let source = fixture.source
        await #expect(throws: StoreError.self) {
            _ = try await source.rows(
                table: "None", idColumns: ["id"], id: RecordID("1"), columns: ["id"])
        }
        guard traits.hasFixedColumns else { return }
        await #expect(throws: StoreError.self) {
            _ = try await source.rows(
                table: "Song", idColumns: ["id"], id: RecordID("1"), columns: ["none"])
        }
        await #expect(throws: StoreError.self) {
            _ = try await source.update(
                RecordChange(
                    table: "Song", idColumns: ["id"], id: RecordID("1"),
                    expected: [ColumnValue("none", .null)],
                    assignments: [ColumnValue("cover", .null)]))
        }
        #expect(try await fixture.stored("Song") == [[.text([49]), .text([75]), .integer(3)]])
    }

    private func namesColumns() async throws {
        let fixture = try await make()
        let source = fixture.source
        try await fixture.insert("Pair", [.text([97]), .text([98]), .integer(1)])
        #expect(Set(try await source.columns(table: "Pair")).isSuperset(of: ["pk", "sk", "file"]))
        await #expect(throws: StoreError.self) { _ = try await source.columns(table: "None") }
    }

    private func removesAndInserts() async throws {
        let fixture = try await make()
        let id: [UInt8] = traits.holds([49, 0, 255]) ? [49, 0, 255] : [49, 39]
        let row: [FieldValue] = [.text(id), .text([75]), .integer(3)]
        try await fixture.insert("Song", row)
        try await fixture.insert("Song", [.text([50]), .text([75]), .integer(3)])
        let whole = zip(["id", "cover", "version"], row).map { ColumnValue($0, $1) }
        func write(_ act: RecordChange.Act, _ values: [ColumnValue]) async throws -> UpdateOutcome {
            try await fixture.source.update(
                RecordChange(
                    act, table: "Song", idColumns: ["id"], id: RecordID(id),
                    expected: act == .delete ? values : [],
                    assignments: act == .insert ? values : []))
        }
        let other = [ColumnValue("cover", .text([76]))]
        #expect(try await write(.delete, whole.dropLast() + other).staleness != nil)
        #expect(try await write(.insert, whole).staleness != nil)
        #expect(try await fixture.stored("Song").count == 2)
        #expect(try await write(.delete, whole) == .written)
        #expect(
            try await fixture.stored("Song") == [[.text([50]), .text([75]), .integer(3)]])
        #expect(try await write(.delete, whole).staleness != nil)
        #expect(try await write(.insert, whole) == .written)
        #expect(Set(try await fixture.stored("Song")).contains(row))
        guard traits.holdsDuplicates else { return }
        try await fixture.insert("Song", row)
        #expect(try await write(.delete, whole).staleness != nil)
        #expect(try await fixture.stored("Song").count == 3)
    }

    private func change(
        id: [UInt8], _ expected: [ColumnValue], to value: FieldValue = .null
    ) -> RecordChange {
        RecordChange(
            table: "Song", idColumns: ["id"], id: RecordID(id), expected: expected,
            assignments: [ColumnValue("cover", value)])
    }
}

private struct Stopped: Error {}

extension RecordSource {
    /// All batches of a scope, and what the scan says of itself.
    package func read(
        _ scope: RecordScope
    ) async throws -> (batches: [RecordBatch], result: ScanResult) {
        var batches: [RecordBatch] = []
        let result = try await scan(scope) { batches.append($0) }
        return (batches, result)
    }
}

extension UpdateOutcome {
    /// Why nothing was written; nil when it was.
    package var staleness: String? {
        if case .stale(let reason) = self { reason } else { nil }
    }
}
