import MooringModel
import MooringText

/// One pass over a scope: several models at once, one page of each under way.
struct ModelScan {
    /// What kept the pass from being complete, as far as it is kept.
    private(set) var problems: [ScanProblem] = []
    /// All of that.
    private(set) var problemCount = 0
    /// What has to be said and is no problem.
    private(set) var notes: [String] = []
    private let client: GraphQLClient
    private let options: AppSyncOptions
    private var waiting: [ListPages] = []
    private var tables: [(name: String, columns: [String])] = []

    private static let batchSize = 1_000

    /// A pass that asks nothing yet.
    init(client: GraphQLClient, options: AppSyncOptions) {
        self.client = client
        self.options = options
    }

    /// Keeps a problem.
    mutating func note(_ problem: ScanProblem) {
        problemCount += 1
        if problems.count < ScanResult.problemLimit { problems.append(problem) }
    }

    /// Plans what is asked.
    mutating func plan(_ scope: RecordScope, _ found: ModelList.Found) {
        switch scope {
        case .columns(let wanted): for request in wanted { plan(request, found) }
        case .all:
            for model in found.models where !scope.leavesOut(model.name) {
                for reason in model.unreadable {
                    note(
                        ScanProblem(
                            place: place(model), reason: "not everything is read: \(reason)"))
                }
                plan(model, model.columns.map(\.name), model.columns)
            }
            for name in found.unlisted where !scope.leavesOut(name) {
                note(
                    ScanProblem(
                        place: "\(client.endpoint.text), type \(name.debugDescription)",
                        reason: "pages hold this union or interface, and not all its types are "
                            + "models: what the others hold is not read"))
            }
            if found.models.isEmpty {
                // Nothing to read proves nothing: more likely it is another API than was meant.
                note(ScanProblem(place: client.endpoint.text, reason: "the schema has no model"))
            }
        }
        // The largest tables are not known: the order of the schema is as good as any.
        waiting.reverse()
    }

    private mutating func plan(_ request: TableColumns, _ found: ModelList.Found) {
        do {
            let model = try found.model(request.table, at: client.endpoint.text)
            for column in request.columns where model.column(column) == nil {
                if model.abstractFields.contains(column) {
                    return note(
                        ScanProblem(
                            place: place(model),
                            reason: "the field \(column.debugDescription) is a union or an "
                                + "interface, of which nothing is read; map a field of a plain "
                                + "type in its place"))
                }
                let fields = model.columns.prefix(20).map(\.name).joined(separator: ", ")
                return note(
                    ScanProblem(
                        place: place(model),
                        reason: "there is no field \(column.debugDescription); its fields are "
                            + fields))
            }
            if model.isVersioned, !request.columns.contains(APIModel.deleted) {
                notes.append(
                    "model \(model.name): the API keeps deleted records, and the configuration "
                        + "does not name their mark; write deleted: \(APIModel.deleted)")
            }
            plan(model, request.columns, request.columns.compactMap(model.column))
        } catch {
            let reason = (error as? StoreError)?.told ?? "\(error)"
            note(ScanProblem(place: client.endpoint.text, reason: reason))
        }
    }

    private mutating func plan(
        _ model: APIModel, _ names: [String], _ columns: [APIModel.Column]
    ) {
        guard !model.lists.isEmpty else {
            return note(
                ScanProblem(
                    place: place(model),
                    reason: "no query of the schema gives all its records; add one, such as "
                        + "@model's own list query"))
        }
        // A request for no columns still counts the records.
        let asked = columns.isEmpty ? model.id.compactMap(model.column) : columns
        waiting.append(
            ListPages(
                number: tables.count, model: model, columns: asked, pageSize: options.pageSize))
        tables.append((model.name, names))
    }

    private func place(_ model: APIModel) -> String {
        "\(client.endpoint.text), model \(model.name.debugDescription)"
    }

    // What came of asking for one page.
    private struct Delivery: Sendable {
        let pages: ListPages
        var page: ListPages.Page?
        var failure: StoreError?
        var goesOn = false
    }

    /// Reads everything that was planned; throws only what `receive` throws, and cancellation.
    mutating func run(_ receive: (RecordBatch) async throws -> Void) async throws {
        let client = client
        try await withThrowingTaskGroup(of: Delivery.self) { group in
            for _ in 0..<max(1, options.concurrency) {
                guard let pages = waiting.popLast() else { break }
                group.addTask { try await Self.ask(pages, client) }
            }
            while let delivery = try await group.next() {
                // The next page is on its way while this one is looked at.
                if delivery.goesOn {
                    group.addTask { try await Self.ask(delivery.pages, client) }
                } else if let pages = waiting.popLast() {
                    group.addTask { try await Self.ask(pages, client) }
                }
                note(delivery)
                try await deliver(delivery, receive)
            }
        }
    }

    private static func ask(_ pages: ListPages, _ client: GraphQLClient) async throws -> Delivery {
        var pages = pages
        while let operation = pages.operation {
            do {
                let answer = try await client.ask(operation)
                if pages.triesNext(after: answer) { continue }
                let (page, goesOn) = pages.read(answer)
                return Delivery(pages: pages, page: page, goesOn: goesOn)
            } catch let error as StoreError {
                return Delivery(pages: pages, failure: error)
            }
        }
        return Delivery(pages: pages)
    }

    private mutating func note(_ delivery: Delivery) {
        let place = place(delivery.pages.model)
        if let failure = delivery.failure {
            note(ScanProblem(place: place, reason: failure.told))
        }
        for reason in delivery.page?.problems ?? [] {
            note(ScanProblem(place: place, reason: reason))
        }
    }

    private func deliver(
        _ delivery: Delivery, _ receive: (RecordBatch) async throws -> Void
    ) async throws {
        let rows = delivery.page?.rows ?? []
        let (table, columns) = tables[delivery.pages.number]
        for part in rows.chunks(of: Self.batchSize) {
            try await receive(
                RecordBatch(
                    table: table, columns: columns,
                    rows: columns.isEmpty ? part.map { _ in [] } : Array(part)))
        }
    }
}
