import MooringModel
import MooringText

/// One table of a scan, and what is wanted of it.
struct ScanTarget {
    /// The configuration's name of the table.
    let table: String
    /// The columns, for each part of the mapping that reads the table; nil for all attributes.
    let wanted: [TableColumns]?
}

/// Reads tables in parallel segments, a bounded number of pages at a time.
///
/// A page is on its way for each segment under way, and at most as many wait for the receiver, so
/// that memory does not grow with the tables.
struct TableScan {
    /// The calls.
    let client: DynamoDBClient
    /// How the tables are named.
    let names: TableNames
    /// Where it is noted which tables are under conflict detection.
    let catalogue: TableCatalogue
    /// Into how many segments each table is cut, at least 1; as many pages are on their way.
    let segments: Int
    /// Whether reads see every write that was answered before they began.
    let isConsistent: Bool
    /// The read capacity.
    let budgets: ReadBudgets

    /// What a scan found out about itself.
    struct Outcome {
        /// Why it is not complete.
        var problems: [ScanProblem] = []
        /// All of them, kept or not.
        var problemCount = 0
        /// Pages that came.
        var pages = 0

        /// Counts a problem, and keeps it where there is room.
        mutating func add(_ problem: ScanProblem) {
            problemCount += 1
            if problems.count < ScanResult.problemLimit { problems.append(problem) }
        }
    }

    private struct Lane {
        let target: ScanTarget
        let segment: Int
        var course = SegmentCourse()
    }

    private struct Answer: Sendable {
        let lane: Int
        let result: Result<ScanPage, StoreError>
    }

    /// Reads the targets to their ends, as far as that goes.
    func run(
        _ targets: [ScanTarget], _ receive: (RecordBatch) async throws -> Void
    ) async throws -> Outcome {
        var outcome = Outcome()
        var lanes = targets.flatMap { target in
            (0..<segments).map { Lane(target: target, segment: $0) }
        }
        var failed: Set<String> = []
        var waiting = lanes.indices.makeIterator()
        try await withThrowingTaskGroup(of: Answer.self) { group in
            func beginNext() {
                while let lane = waiting.next() {
                    // What one segment was refused, the next would be refused as well.
                    if failed.contains(lanes[lane].target.table) { continue }
                    ask(lanes[lane], lane, &group)
                    return
                }
            }
            for _ in 0..<segments { beginNext() }
            while let answer = try await group.next() {
                try Task.checkCancellation()
                let table = lanes[answer.lane].target.table
                switch answer.result {
                case .failure(let error):
                    // The segments of one table fail for one reason, which is told once.
                    if failed.insert(table).inserted {
                        outcome.add(ScanProblem(place: error.place, reason: error.rest))
                    }
                    beginNext()
                case .success(let page):
                    outcome.pages += 1
                    catalogue.note(table, sawVersions: page.sawVersions)
                    // The next page is on its way before this one is handed on.
                    do throws(ItemFault) {
                        if try lanes[answer.lane].course.advance(page.next) {
                            ask(lanes[answer.lane], answer.lane, &group)
                        } else {
                            beginNext()
                        }
                    } catch {
                        outcome.add(problem(table, error))
                        beginNext()
                    }
                    for batch in page.batches { try await receive(batch) }
                }
            }
        }
        return outcome
    }

    private func problem(_ table: String, _ fault: ItemFault) -> ScanProblem {
        let place = DynamoDBRefusal(client: client, table: names.stored(table)).place
        return ScanProblem(place: place, reason: "the answer \(fault.reason)")
    }

    private func ask(
        _ lane: Lane, _ number: Int, _ group: inout ThrowingTaskGroup<Answer, any Error>
    ) {
        let body = request(lane)
        let (client, target) = (client, lane.target)
        let budget = budgets.budget(of: target.table)
        let (isConsistent, names) = (isConsistent, names)
        group.addTask {
            let page = try await budget.enter()
            do {
                var body = body
                if let limit = page.limit { body.add("Limit", limit) }
                let answer = try await client.read("Scan", body.text)
                let read = try Self.page(answer, target)
                budget.leave(page, read, bytes: answer.count, isConsistent: isConsistent)
                return Answer(lane: number, result: .success(read))
            } catch {
                budget.abandon(page)
                let refusal = DynamoDBRefusal(client: client, table: names.stored(target.table))
                guard let known = refusal.storeError(error) else { throw error }
                return Answer(lane: number, result: .failure(known))
            }
        }
    }

    private static func page(
        _ answer: [UInt8], _ target: ScanTarget
    ) throws(ItemFault) -> ScanPage {
        guard let wanted = target.wanted else {
            return try ScanPage(answer, WholeItems(table: target.table))
        }
        return try ScanPage(answer, ChosenItems(wanted))
    }

    private func request(_ lane: Lane) -> RequestBody {
        var body = RequestBody()
        body.add("TableName", text: names.stored(lane.target.table))
        if segments > 1 {
            body.add("Segment", lane.segment)
            body.add("TotalSegments", segments)
        }
        if isConsistent { body.add("ConsistentRead", true) }
        body.add("ReturnConsumedCapacity", text: "TOTAL")
        if let wanted = lane.target.wanted {
            Projection(ChosenItems.columns(wanted)).add(to: &body)
        }
        if let start = lane.course.start { body.add("ExclusiveStartKey", start) }
        return body
    }
}

extension StoreError {
    /// The error without its place, for a problem that names it.
    var rest: String { reason + (hint.map { "; \($0)" } ?? "") }
}
