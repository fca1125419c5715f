import MooringModel
import MooringPostgres

// Scans one table, as pass A does, and drops the rows: what Benchmarks/postgres measures.

guard CommandLine.arguments.count >= 4 else {
    print("usage: postgres-benchmark ADDRESS TABLE COLUMN…")
    throw ExitReason("no table was named")
}
let arguments = CommandLine.arguments
let source = PostgresSource(
    name: "app", address: arguments[1], mapping: RecordMapping(source: "app", models: []),
    options: PostgresOptions())
let clock = ContinuousClock()
let start = clock.now
var rows = 0
let result = try await source.scan(
    .columns([TableColumns(table: arguments[2], columns: Array(arguments[3...]))])
) { batch in
    rows += batch.rows.count
}
guard result.isComplete else {
    throw ExitReason(result.problems.map(\.text).joined(separator: "\n"))
}
let seconds = (clock.now - start) / .seconds(1)
print("\(rows) rows in \(seconds) s, \(Int(Double(rows) / seconds)) rows/s")

/// Why there is nothing to tell.
struct ExitReason: Error {
    let text: String

    init(_ text: String) { self.text = text }
}
