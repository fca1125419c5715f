import MooringAWS
package import MooringModel

/// How the tables of a source are read and written.
package struct TableSettings: Sendable {
    /// How the tables are named in the store.
    package var names = TableNames()
    /// The tables that belong to the app, by the configuration's names; nil for all that the names
    /// fit. Mapped tables always do.
    package var tables: [Glob]?
    /// Into how many segments a scan cuts each table; as many pages are on their way at a time.
    package var segments = 4
    /// The most read capacity that scans consume in a second.
    package var rate = ReadRate.ofTable
    /// Whether pass A reads consistently, too.
    package var isConsistent = false
    /// Whether tables under conflict detection are written directly.
    package var writesVersioned = false
    /// Whether no other region writes replicas of the tables.
    package var isOnlyWriter = false
    /// The models, which say what the tables' ids and versions are.
    package var models: [ModelMapping] = []

    /// The defaults.
    package init() {}
}

/// A record source on tables of DynamoDB.
///
/// An item has no fixed attributes. A value that plain fields cannot tell keeps its type; see
/// `AttributeReader`.
package final class DynamoDBSource: ActingRecordSource {
    /// The source's name in the configuration.
    package let name: String
    /// `dynamodb`.
    package let kind = "dynamodb"
    /// Always: an export is another source.
    package let isLive = true
    /// An item names the attributes that it has.
    package let namesEveryColumn = false
    /// The calls.
    let client: DynamoDBClient
    /// How the tables are read and written.
    let settings: TableSettings
    /// What is known of the tables.
    let catalogue: TableCatalogue
    private let clock: @Sendable () -> Instant

    /// The tables of a service; `clock` dates a scan's window.
    package init(
        name: String, client: DynamoDBClient, settings: TableSettings,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.name = name
        self.client = client
        self.settings = settings
        self.clock = clock
        catalogue = TableCatalogue(client: client, names: settings.names)
    }

    /// Reads tables in parallel segments. `everything` is every table that belongs to the app,
    /// read consistently: those of `tables` whose names prefix and suffix fit.
    ///
    /// It is no snapshot: a record written meanwhile may be read as before or as after, and one
    /// that moves between segments cannot be missed, since a key never moves.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        let (from, before) = (clock(), client.traffic)
        var listed = TableScan.Outcome()
        let targets: [ScanTarget]
        let isConsistent: Bool
        switch scope {
        case .columns(let wanted):
            targets = Self.targets(wanted)
            isConsistent = settings.isConsistent
        case .all:
            targets = try await allTables(&listed).filter { !scope.leavesOut($0.table) }
            isConsistent = true
        }
        let budgets = try await budgets(for: targets)
        let scan = TableScan(
            client: client, names: settings.names, catalogue: catalogue,
            segments: settings.segments, isConsistent: isConsistent, budgets: budgets)
        let outcome = try await scan.run(targets, receive)
        let problems = listed.problems + outcome.problems
        var result = ScanResult(
            window: ScanWindow(from: from, to: clock()), problems: problems,
            problemCount: listed.problemCount + outcome.problemCount, consistency: "moving",
            requests: Self.sent(client.traffic.calls) - Self.sent(before.calls))
        result.notes = [
            note(outcome, budgets, throttled: client.traffic.slowDowns - before.slowDowns)
        ]
        return result
    }

    private static func sent(_ calls: [String: Int]) -> Int { calls.values.reduce(0, +) }

    // One table is read once, whoever wants something of it.
    private static func targets(_ wanted: [TableColumns]) -> [ScanTarget] {
        var order: [String] = []
        var own: [String: [TableColumns]] = [:]
        for columns in wanted {
            if own[columns.table] == nil { order.append(columns.table) }
            own[columns.table, default: []].append(columns)
        }
        return order.map { ScanTarget(table: $0, wanted: own[$0]) }
    }

    private func allTables(_ outcome: inout TableScan.Outcome) async throws -> [ScanTarget] {
        do {
            let choice = TableChoice(settings, among: try await catalogue.tables())
            for reason in choice.problems {
                outcome.add(ScanProblem(place: refusal(nil).place, reason: reason))
            }
            return choice.chosen.map { ScanTarget(table: $0, wanted: nil) }
        } catch {
            guard let known = refusal(nil).storeError(error) else { throw error }
            outcome.add(ScanProblem(place: known.place, reason: known.rest))
            return []
        }
    }

    private func note(
        _ outcome: TableScan.Outcome, _ budgets: ReadBudgets, throttled: Int
    ) -> String {
        var text = Measure.count(outcome.pages, "page") + " read"
        if let units = budgets.consumed {
            let tenths = Int((units * 10).rounded())
            text += ", \(tenths / 10).\(tenths % 10) units of read capacity consumed"
        } else if outcome.pages > 0 {
            text += ", the service does not say how much capacity that consumed"
        }
        if throttled > 0 { text += ", asked \(Measure.count(throttled, "time")) to slow down" }
        return text
    }

    /// Puts what went wrong at a table, or at none, into words.
    func refusal(_ table: String?) -> DynamoDBRefusal {
        DynamoDBRefusal(client: client, table: table.map(settings.names.stored))
    }

    /// The attributes of a table's key and of its indexes, and those of some of its items: items
    /// may have others. Repairs ask for those of one record.
    package func columns(table: String) async throws -> [String] {
        try await inWords(table) {
            let description = try await self.catalogue.description(table)
            var body = RequestBody()
            body.add("TableName", text: self.settings.names.stored(table))
            body.add("Limit", Self.sample)
            let page = try ScanPage(
                try await self.client.read("Scan", body.text), WholeItems(table: table))
            var columns = description.keys.map(\.name)
            for name in description.indexed.sorted() + page.batches.flatMap(\.columns)
            where !columns.contains(name) { columns.append(name) }
            return columns
        }
    }

    private static let sample = 100

    /// What the `Date` headers of its answers show; where there was none yet, a table is asked for.
    package func measureClock() async throws -> Duration? {
        if let known = client.clockDifference { return known }
        if let table = settings.models.first?.table {
            try await inWords(table) { _ = try await self.catalogue.description(table) }
        }
        return client.clockDifference
    }

    /// Runs calls about a table, or about none; what the service refuses is told in words.
    func inWords<Value>(
        _ table: String?, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch {
            throw refusal(table).storeError(error) ?? error
        }
    }
}
