import MooringFiles
package import MooringModel

/// A record source on exports of DynamoDB's tables: a copy, which never serves a repair.
///
/// Every file is checked against its manifest; what is missing, extra or damaged makes the scan
/// incomplete. Incremental exports hold changes, which `changes` tells, and which are applied to a
/// full export where that is wanted.
package final class DynamoDBExportSource: CopySource, RecordHistory {
    /// The source's name in the configuration.
    package let name: String
    /// `dynamodbExport`.
    package let kind = "dynamodbExport"
    private let store: any ExportStore
    private let names: TableNames
    // Where items lie while changes are applied; nil where none are.
    private let scratch: String?
    // Where some items alone are read: those of a full export, in a file of their own.
    private let rows: ExportRows?

    /// The exports in a place. With a folder for scratch the changes of incremental exports are
    /// applied to the full one of their table; without one they tell what was, and nothing else.
    package init(
        name: String, store: any ExportStore, names: TableNames,
        applyingChangesIn scratch: String? = nil
    ) {
        self.name = name
        self.store = store
        self.names = names
        self.scratch = scratch
        rows = nil
    }

    /// The full export in a place, of which some items alone are read.
    init(name: String, store: any ExportStore, names: TableNames, rows: ExportRows) {
        (self.name, self.store, self.names, self.rows) = (name, store, names, rows)
        scratch = nil
    }

    /// Reads the newest full export of each table, with the changes since where they are applied.
    /// The window is that of the moments that they tell, with a minute at both ends, since DynamoDB
    /// promises no more.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        let catalogue: ExportCatalogue
        do {
            catalogue = try await ExportCatalogue(
                store, names: names, applyingChanges: scratch != nil)
        } catch let error as StoreError {
            let window = ScanWindow(from: .distantPast, to: .distantPast)
            return ScanResult(
                window: window, problems: [ScanProblem(place: error.place, reason: error.rest)],
                consistency: "snapshot")
        }
        var problems = catalogue.problems
        switch scope {
        case .all:
            problems += try await read(
                catalogue.full.filter { !scope.leavesOut($0.table) },
                { WholeItems(table: $0.table) }, receive)
        case .columns(let wanted):
            problems += missing(wanted, catalogue)
            let read = catalogue.full.filter { export in
                wanted.contains { $0.table == export.table }
            }
            problems += try await self.read(
                read, { export in ChosenItems(wanted.filter { $0.table == export.table }) },
                receive)
        }
        let times = catalogue.full.map(\.moment)
        var result = ScanResult(
            window: ScanWindow(
                from: (times.min() ?? .distantPast) + (Duration.zero - ExportChain.blur),
                to: (times.max() ?? .distantPast) + ExportChain.blur),
            problems: problems, consistency: "snapshot")
        result.notes = catalogue.notes
        return result
    }

    // All full exports side by side; those with changes one after the other.
    private func read<Gathering: ItemGathering>(
        _ exports: [ExportCatalogue.Export],
        _ gathering: @escaping (ExportCatalogue.Export) -> Gathering,
        _ receive: (RecordBatch) async throws -> Void
    ) async throws -> [ScanProblem] {
        if let rows {
            return try await ExportScan(store: rows.store).read(
                exports.prefix(1).map { export in (rows.part, { ItemLines(gathering(export)) }) },
                receive)
        }
        var problems = try await ExportScan(store: store).read(
            exports.filter(\.changes.isEmpty).flatMap { export in
                export.parts.map { part in (part, { ItemLines(gathering(export)) }) }
            }, receive)
        guard let scratch else { return problems }
        let merge = ExportMerge(store: store, scratch: scratch)
        for export in exports where !export.changes.isEmpty {
            do {
                problems += try await merge.read(export, { gathering(export) }, receive)
            } catch let error as StoreError {
                problems.append(ScanProblem(place: error.place, reason: error.rest))
            }
        }
        return problems
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
