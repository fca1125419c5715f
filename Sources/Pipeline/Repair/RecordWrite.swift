import MooringDecisions
import MooringModel

/// A conditional write to a record, and what became of it where its answer did not come.
struct RecordWrite {
    /// Where the record lies.
    let source: any ActingRecordSource
    /// The write, with what the row must hold before it.
    let change: RecordChange

    /// Whether a row is as the write expected it: read behind the write, it is an old one.
    func isBefore(_ row: FieldChange.Row) -> Bool {
        change.expected.allSatisfy { value in
            row[value.column].map { Self.isSame($0, value.value) } ?? false
        }
    }

    /// Sends the write once; an error that is no refusal leaves open what became of it.
    func send() async -> SandwichWrite.Answer {
        do {
            return .written(try await source.update(change))
        } catch let error as StoreError where error.isRefusal {
            return .refused("\(error)")
        } catch {
            return .failed("\(error)")
        }
    }

    /// Reads the record: as the write leaves it, as before it, or neither; of a change of a field
    /// under a mapping, whether it still stands in the field.
    func fate(mapping: ModelMapping? = nil) async -> WriteFate {
        var columns: [String] = []
        for value in change.expected + change.assignments where !columns.contains(value.column) {
            columns.append(value.column)
        }
        let rows: [[FieldValue]]
        do {
            rows = try await source.rows(
                table: change.table, idColumns: change.idColumns, id: change.id,
                columns: columns)
        } catch {
            return .unknown("\(error)")
        }
        // A removal is done where the row is gone, and an insertion may come where it is.
        if rows.isEmpty, change.act != .update {
            return change.act == .delete ? .written : .pending
        }
        // Where another row has the same id by now, the write is refused as well.
        guard rows.count == 1, let row = rows.first else { return .overtaken }
        func holds(_ values: [ColumnValue]) -> Bool {
            values.allSatisfy { value in
                columns.firstIndex(of: value.column).map { Self.isSame(row[$0], value.value) }
                    ?? false
            }
        }
        if change.act == .insert { return holds(change.assignments) ? .written : .overtaken }
        if change.act == .update, holds(change.assignments) { return .written }
        if holds(change.expected) { return .pending }
        guard let mapping, change.act == .update else { return .overtaken }
        let now = Dictionary(zip(columns, row), uniquingKeysWith: { first, _ in first })
        let back = FieldChange.puttingBack(
            change, mapping: mapping, row: now, at: .distantPast)
        return back == nil ? .overtaken : .rewritten
    }

    // A mark of deletion may be written as a number and be read as a truth value.
    private static func isSame(_ held: FieldValue, _ wanted: FieldValue) -> Bool {
        switch (held, wanted) {
        case (.json(let bytes), .integer(1)): bytes == Array("true".utf8)
        case (.json(let bytes), .integer(0)): bytes == Array("false".utf8)
        default: held == wanted
        }
    }

    /// No request is under way longer than this: gateways and services end theirs in minutes.
    static let longestFlight = Duration.hours(1)

    /// Keeps the write, which was sent at an instant, from being carried out late.
    func fence(
        mapping: ModelMapping, at now: Instant, sentAt: Instant
    ) async -> SandwichWrite.Answer {
        guard let fence = FieldChange.fence(change, mapping: mapping, at: now) else {
            return .fence(sentAt + Self.longestFlight < now ? .outlived : .impossible)
        }
        do {
            switch try await source.update(fence) {
            case .written: return .fence(.fenced)
            case .stale: return .fence(.stale)
            }
        } catch {
            return .failed("\(error)")
        }
    }
}
