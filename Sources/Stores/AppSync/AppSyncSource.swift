package import MooringModel

/// A record source behind an AppSync API, or another one of GraphQL that has Amplify's operations.
///
/// A table is a model of the schema. What it reads may be some moments old unless
/// `readsAreConsistent`, so that a record is read twice, and both reads have to agree.
package struct AppSyncSource: ActingRecordSource {
    /// The source's name in the configuration.
    package let name: String
    /// `appsync`.
    package let kind = "appsync"
    /// An API is never a copy.
    package let isLive = true
    /// Sends what is asked.
    let client: GraphQLClient
    /// The API's models.
    let models: ModelList
    /// How it is read.
    let options: AppSyncOptions
    private let clock: @Sendable () -> Instant

    /// The records behind a client's API; `clock` dates a scan's window.
    package init(
        name: String, client: GraphQLClient, schema: AppSyncSchema,
        options: AppSyncOptions = AppSyncOptions(), clock: @escaping @Sendable () -> Instant
    ) {
        self.name = name
        self.client = client
        self.options = options
        self.clock = clock
        models = ModelList(schema, client)
    }

    /// Reads models side by side, each page by page; a batch is a page. The columns of
    /// `.everything` are all fields of a model but its relations to others, which are records of
    /// their own.
    package func scan(
        _ scope: RecordScope, _ receive: (RecordBatch) async throws -> Void
    ) async throws -> ScanResult {
        let (from, before) = (clock(), client.requests)
        var scan = ModelScan(client: client, options: options)
        do {
            plan(&scan, scope, try await models.all())
        } catch let error as StoreError {
            scan.note(ScanProblem(place: error.place, reason: error.told))
        }
        try await scan.run(receive)
        var result = ScanResult(
            window: ScanWindow(from: from, to: clock()), problems: scan.problems,
            problemCount: scan.problemCount, consistency: "moving",
            requests: client.requests - before)
        result.notes = scan.notes
        return result
    }

    /// Reads a record by its identifier, twice where a read may be old.
    package func rows(
        table: String, idColumns: [String], id: RecordID, columns: [String]
    ) async throws -> [[FieldValue]] {
        let model = try await model(table)
        try check(columns, of: model)
        let read = try RecordRead(
            source: self, model: model, idColumns: idColumns, id: id, columns: columns)
        return try await read.agreed().map { row in [columns.map { row[$0] ?? .null }] } ?? []
    }

    /// The fields of a model but its relations to others.
    package func columns(table: String) async throws -> [String] {
        try await model(table).columns.map(\.name)
    }

    /// The fields that the schema marks with `!`: an answer without them is an error.
    package func columnLimits(table: String) async throws -> [String: ColumnLimit] {
        try await model(table).limits
    }

    /// What the `Date` headers of its answers show; where there was none yet, the API is asked for
    /// nothing but its own name.
    package func measureClock() async throws -> Duration? {
        if let known = client.clockDifference { return known }
        _ = try await client.ask(
            GraphQLOperation(name: "clock", text: "query Clock { __typename }"))
        return client.clockDifference
    }

    /// Writes one record by a mutation, and reads it again: what did not hold is told as such.
    package func update(_ change: RecordChange) async throws -> UpdateOutcome {
        try await refuseWrite(change.table)
        let model = try await model(change.table)
        try check(change.idColumns + change.expected.map(\.column), of: model)
        try check(change.assignments.map(\.column), of: model)
        return try await ConditionalMutation(source: self, model: model, change: change).run()
    }

    /// The place of a table in messages.
    func place(_ table: String) -> String {
        "\(client.endpoint.text), model \(table.debugDescription)"
    }

    private func model(_ table: String) async throws -> APIModel {
        try await models.all().model(table, at: place(table))
    }

    private func check(_ columns: [String], of model: APIModel) throws {
        for column in columns where model.column(column) == nil {
            throw StoreError(
                place: place(model.name), reason: "there is no field \(column.debugDescription)",
                hint: "its fields are "
                    + model.columns.prefix(20).map(\.name).joined(separator: ", "),
                isRefusal: true)
        }
    }
}

extension StoreError {
    /// The reason with its hint.
    var told: String { reason + (hint.map { "; \($0)" } ?? "") }
}
