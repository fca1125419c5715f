import MooringFiles
package import MooringModel

/// A record source on exports of DynamoDB's tables: a copy, which never serves a repair.
///
/// Every file is checked against its manifest; what is missing, extra or damaged makes the scan
/// incomplete. Incremental exports hold changes, which `changes` tells.
package final class DynamoDBExportSource: CopySource, RecordHistory {
    /// The source's name in the configuration.
    package let name: String
    /// `dynamodbExport`.
    package let kind = "dynamodbExport"
    private let store: any ExportStore
    private let names: TableNames

    // An export may be off by about a minute from the moment that it names.
    private static let blur = Duration.minutes(1)

    /// The exports in a place.
    package init(name: String, store: any ExportStore, names: TableNames) {
        self.name = name
        self.store = store
        self.names = names
    }

    /// Reads the newest full export of each table. The window is that of the exports' own moments,
    /// with a minute at both ends, since DynamoDB promises no more.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        let catalogue: ExportCatalogue
        do {
            catalogue = try await ExportCatalogue(store, names: names)
        } catch let error as StoreError {
            let window = ScanWindow(from: .distantPast, to: .distantPast)
            return ScanResult(
                window: window, problems: [ScanProblem(place: error.place, reason: error.rest)],
                consistency: "snapshot")
        }
        var problems = catalogue.problems
        let scan = ExportScan(store: store)
        switch scope {
        case .all:
            problems += try await scan.read(
                catalogue.full.filter { !scope.leavesOut($0.table) }.flatMap { export in
                    export.parts.map { part in
                        (part, { ItemLines(WholeItems(table: export.table)) })
                    }
                }, receive)
        case .columns(let wanted):
            problems += missing(wanted, catalogue)
            problems += try await scan.read(
                catalogue.full.flatMap { export in
                    let own = wanted.filter { $0.table == export.table }
                    return own.isEmpty
                        ? [] : export.parts.map { ($0, { ItemLines(ChosenItems(own)) }) }
                }, receive)
        }
        let times = catalogue.full.map(\.summary.time)
        var result = ScanResult(
            window: ScanWindow(
                from: (times.min() ?? .distantPast) + (Duration.zero - Self.blur),
                to: (times.max() ?? .distantPast) + Self.blur),
            problems: problems, consistency: "snapshot")
        result.notes = catalogue.notes
        return result
    }

    private func missing(
        _ wanted: [TableColumns], _ catalogue: ExportCatalogue
    ) -> [ScanProblem] {
        let known = Set(catalogue.full.map(\.table))
        var told: Set<String> = []
        return wanted.compactMap { columns in
            guard !known.contains(columns.table), told.insert(columns.table).inserted else {
                return nil
            }
            return ScanProblem(
                place: store.place,
                reason: "there is no full export of table "
                    + Quoted.name(names.stored(columns.table)))
        }
    }

    /// Reads the changes of all incremental exports, in any order.
    package func changes(
        _ receive: (RecordedChange) async throws -> Void
    ) async throws -> [ScanProblem] {
        let catalogue = try await ExportCatalogue(store, names: names)
        return try await ExportScan(store: store).read(
            catalogue.incremental.flatMap { export in
                export.parts.map { part in (part, { ChangeLines(table: export.table) }) }
            }, receive)
    }

    /// That a copy serves no repair.
    package var refusal: StoreError {
        StoreError(
            place: store.place,
            reason: "is an export, and a copy serves no repair",
            hint: "let source '\(name)' read the table itself, by dynamodb:", isRefusal: true)
    }
}
