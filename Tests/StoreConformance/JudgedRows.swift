package import MooringModel
import MooringReconcile
package import Testing

/// A value of a row as the bytes that tell it from any other; what says nothing has none.
private struct Cell: Equatable, CustomStringConvertible {
    let storageClass: String
    let bytes: [UInt8]

    init?(_ value: FieldValue) {
        guard !value.isMissing else { return nil }
        storageClass = value.storageClass
        bytes = value.storedBytes ?? []
    }

    var description: String { "\(storageClass) \(String(decoding: bytes, as: UTF8.self))" }
}

extension RecordSource {
    /// Wants an act to read of each row of a table, byte for byte, what a scan of everything saw of
    /// it, so that a record without a version is not taken for one that was written since. Gives
    /// the number of the rows.
    @discardableResult
    package func readsAtTheActWhatWasScanned(
        _ table: String, id idColumns: [String], at place: SourceLocation = #_sourceLocation
    ) async throws -> Int {
        let scan = try await read(.everything)
        #expect(scan.result.isComplete, "\(scan.result.problems)", sourceLocation: place)
        var count = 0
        for batch in scan.batches where batch.table == table {
            for row in batch.rows {
                let seen = Self.row(batch.columns, row)
                let id = RecordID(parts: idColumns.map { seen[$0]?.bytes ?? [] })
                let columns = try await readableColumns(
                    table: table, idColumns: idColumns, id: id)
                let rows = try await rows(
                    table: table, idColumns: idColumns, id: id, columns: columns)
                try #require(rows.count == 1, "\(table) \(id.text)", sourceLocation: place)
                Self.compare(seen, Self.row(columns, rows[0]), "\(table) \(id.text)", place)
                count += 1
            }
        }
        return count
    }

    private static func row(_ columns: [String], _ values: [FieldValue]) -> [String: FieldValue] {
        Dictionary(zip(columns, values), uniquingKeysWith: { first, _ in first })
    }

    private static func compare(
        _ seen: [String: FieldValue], _ held: [String: FieldValue], _ row: String,
        _ place: SourceLocation
    ) {
        for column in Set(seen.keys).union(held.keys).sorted() {
            let (before, now) = (seen[column].flatMap(Cell.init), held[column].flatMap(Cell.init))
            #expect(before == now, "\(row), column \(column)", sourceLocation: place)
        }
        #expect(RowToken.hash(of: seen) == RowToken.hash(of: held), "\(row)", sourceLocation: place)
    }

    /// Wants a copy of some tables to tell the same in pass A as in pass B, and to serve no act: a
    /// step on a record of it has nothing to compare.
    package func isACopyThatServesNoAct(
        _ table: String, _ columns: [String], at place: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(!isLive, sourceLocation: place)
        let chosen = try await read(.columns([TableColumns(table: table, columns: columns)]))
        let all = try await read(.everything)
        #expect(chosen.result.isComplete && all.result.isComplete, sourceLocation: place)
        let (rows, others) = (
            chosen.batches.flatMap(\.rows),
            all.batches.flatMap { batch in
                batch.rows.map { Self.row(batch.columns, $0) }
            }
        )
        try #require(!rows.isEmpty && rows.count == others.count, sourceLocation: place)
        for (one, other) in zip(rows, others) {
            Self.compare(Self.row(columns, one), other, "\(table)", place)
        }
        let id = RecordID("1")
        await #expect(throws: StoreError.self, sourceLocation: place) {
            try await readableColumns(table: table, idColumns: [columns[0]], id: id)
        }
        await #expect(throws: StoreError.self, sourceLocation: place) {
            try await self.rows(table: table, idColumns: [columns[0]], id: id, columns: columns)
        }
        #expect(!(self is any ActingRecordSource), sourceLocation: place)
    }
}
