package import MooringModel
import MooringText

/// A conditional write to one item: read consistently, compared here byte for byte, and written by
/// one request that compares again, so that nothing comes in between.
struct ItemWrite {
    /// Where the item lies.
    let source: DynamoDBSource
    /// What to write, and what must be there.
    let change: RecordChange

    /// A write that is ready to be sent.
    private enum Request {
        case stale(String)
        case send(call: String, body: [UInt8], item: Item?)
    }

    /// Writes, or changes nothing. Throws `StoreError`; one that is a refusal changed nothing.
    func run() async throws -> UpdateOutcome {
        let request: Request
        do {
            request = try await source.inWords(change.table) { try await self.request() }
        } catch let error as StoreError {
            // Nothing was sent that could change anything.
            throw StoreError(
                place: error.place, reason: error.reason, hint: error.hint, isRefusal: true)
        }
        switch request {
        case .stale(let reason): return .stale(reason)
        case .send(let call, let body, let item):
            return try await source.inWords(change.table) {
                try await self.send(call, body, item)
            }
        }
    }

    private func request() async throws -> Request {
        guard change.assignments.isEmpty == (change.act == .delete) else {
            throw refused("would be assigned nothing, or be removed and assigned something")
        }
        let description = try await source.catalogue.description(change.table)
        guard description.keys.allSatisfy({ change.idColumns.contains($0.name) }) else {
            throw source.misnamed(change.table, change.idColumns, description)
        }
        let items = try await source.items(change.table, change.idColumns, change.id)
        try await source.refuseReplicated(change.table)
        try await source.refuseVersioned(change.table, items)
        let difference = change.difference(rows: items.count) {
            isAlike($1, items[0], description)
        }
        if let difference { return .stale(difference) }
        if change.act == .insert {
            return .send(
                call: "PutItem",
                body: try inWords { () throws(ItemFault) in
                    try insertion(description)
                }, item: nil)
        }
        let item = items[0]
        if let reason = addition(item, description) { return .stale(reason) }
        switch change.act {
        case .delete:
            let body = try inWords { () throws(ItemFault) in try removal(item, description) }
            return .send(call: "DeleteItem", body: body, item: item)
        default:
            let body = try inWords { () throws(ItemFault) in try assignment(item, description) }
            return .send(call: "UpdateItem", body: body, item: item)
        }
    }

    private func refused(_ reason: String) -> StoreError {
        StoreError(
            place: source.refusal(change.table).place, reason: "the record \(reason)",
            isRefusal: true)
    }

    private func inWords(
        _ body: () throws(ItemFault) -> [UInt8]
    ) throws(StoreError) -> [UInt8] {
        do throws(ItemFault) {
            return try body()
        } catch {
            throw refused(error.reason)
        }
    }

    private func typed(_ column: String, _ value: FieldValue) throws(ItemFault) -> [UInt8]? {
        do throws(ItemFault) {
            return try AttributeWriter.typed(value)
        } catch {
            throw ItemFault(
                reason: "would get an attribute \(Quoted.name(column)) that \(error.reason)")
        }
    }

    private func isAlike(
        _ value: ColumnValue, _ item: Item, _ description: TableDescription
    ) -> Bool {
        let (wanted, held) = (AttributeWriter.canonical(value.value), item[value.column])
        // An attribute that an index is keyed by is removed instead of nulled.
        return wanted == held
            || wanted == .null && held == .absent && description.indexed.contains(value.column)
    }

    // What an item that is to be removed has by now beside what was expected of it.
    private func addition(_ item: Item, _ description: TableDescription) -> String? {
        guard change.act == .delete else { return nil }
        let names = change.expected.map(\.column) + description.keys.map(\.name)
        let known = Set(names.map { Array($0.utf8) })
        guard let other = item.names.first(where: { !known.contains(Array($0.utf8)) }) else {
            return nil
        }
        return "the record has an attribute that it had not: \(Quoted.name(other))"
    }

    // MARK: Requests

    private func begin(_ item: Item, _ description: TableDescription) -> RequestBody {
        var key = RequestBody()
        for part in description.keys {
            key.add(part.name, item.attribute(part.name)?.raw ?? [])
        }
        var body = RequestBody()
        body.add("TableName", text: source.settings.names.stored(change.table))
        body.add("Key", key.text)
        return body
    }

    private func demands(_ item: Item, _ description: TableDescription) -> WriteExpression {
        var expression = WriteExpression()
        expression.demand(description.hash.name, exists: true)
        let keys = Set(description.keys.map(\.name))
        for expected in change.expected where !keys.contains(expected.column) {
            expression.demand(expected.column, holds: item.attribute(expected.column)?.raw)
        }
        return expression
    }

    private func assignment(
        _ item: Item, _ description: TableDescription
    ) throws(ItemFault) -> [UInt8] {
        var expression = demands(item, description)
        let keys = Set(description.keys.map(\.name))
        let expected = Set(change.expected.map(\.column))
        for assignment in change.assignments {
            let column = assignment.column
            guard !keys.contains(column) else {
                throw ItemFault(reason: "would get another key, under which nobody would find it")
            }
            let value = AttributeWriter.canonical(assignment.value)
            let isRemoved =
                value == .absent || value == .null && description.indexed.contains(column)
            guard !isRemoved, let typed = try typed(column, value) else {
                expression.remove(column)
                continue
            }
            let shortening =
                expected.contains(column) ? Shortening(from: item[column], to: value) : nil
            switch shortening {
            case .element(let index, let element):
                expression.demand(column, element: index, holds: element)
                expression.remove(column, element: index)
            case .subset(let elements): expression.subtract(elements, from: column)
            case nil: expression.set(column, to: typed)
            }
        }
        var body = begin(item, description)
        try expression.add(to: &body)
        return body.text
    }

    private func removal(
        _ item: Item, _ description: TableDescription
    ) throws(ItemFault) -> [UInt8] {
        var body = begin(item, description)
        try demands(item, description).add(to: &body)
        body.add("ReturnValues", text: "ALL_OLD")
        return body.text
    }

    private func insertion(_ description: TableDescription) throws(ItemFault) -> [UInt8] {
        var item = RequestBody()
        var columns: Set<String> = []
        for assignment in change.assignments {
            if assignment.value == .null, description.indexed.contains(assignment.column) {
                continue
            }
            let typed = try typed(assignment.column, assignment.value)
            guard let typed else { continue }
            item.add(assignment.column, typed)
            columns.insert(assignment.column)
        }
        let ids = zip(change.idColumns, change.id.parts).allSatisfy { column, part in
            change.assignments.contains { $0.column == column && $0.value.bytes == part }
        }
        guard ids, description.keys.allSatisfy({ columns.contains($0.name) }) else {
            throw ItemFault(reason: "would be put under another id than its own")
        }
        return try put(item.text, description)
    }

    private func put(
        _ item: [UInt8], _ description: TableDescription
    ) throws(ItemFault) -> [UInt8] {
        var expression = WriteExpression()
        expression.demand(description.hash.name, exists: false)
        var body = RequestBody()
        body.add("TableName", text: source.settings.names.stored(change.table))
        body.add("Item", item)
        try expression.add(to: &body)
        return body.text
    }

    // MARK: Sending

    private func send(_ call: String, _ body: [UInt8], _ item: Item?) async throws -> UpdateOutcome
    {
        let answer: [UInt8]
        do {
            answer = try await source.client.write(call, body)
        } catch let error as DynamoDBError where error.isFailedCondition {
            return try await conflict()
        }
        guard call == "DeleteItem", let item else { return .written }
        guard let old = try DynamoDBSource.members(of: answer).attributes else {
            throw ItemFault(reason: "to DeleteItem does not tell what was deleted")
        }
        // No condition can forbid attributes that nobody knows: one may have come since the read.
        let known = Set(item.names.map { Array($0.utf8) })
        guard let other = old.names.first(where: { !known.contains(Array($0.utf8)) }) else {
            return .written
        }
        return try await putBack(old, other)
    }

    // Something on the way may have sent the write twice, so that this is the answer to the second,
    // behind one that was carried out.
    private func conflict() async throws -> UpdateOutcome {
        let items = try await source.items(change.table, change.idColumns, change.id)
        let description = try await source.catalogue.description(change.table)
        let isDone =
            switch change.act {
            case .delete: items.isEmpty
            case .insert, .update:
                items.first.map { item in
                    change.assignments.allSatisfy { isAlike($0, item, description) }
                } ?? false
            }
        guard isDone else {
            return .stale("the record was written at this moment by somebody else")
        }
        throw StoreError(
            place: source.refusal(change.table).place,
            reason: "the write was refused as if somebody else had written at this moment, and the "
                + "record is as it would have left it")
    }

    private func putBack(_ old: Item, _ other: String) async throws -> UpdateOutcome {
        let description = try await source.catalogue.description(change.table)
        let (client, body) = (source.client, try put(old.text, description))
        do {
            // No interruption may come between, and the condition makes repeating harmless: what
            // it meets then is this item, or somebody's own.
            _ = try await Task { try await client.read("PutItem", body) }.value
        } catch let error as DynamoDBError where error.saysConditionFailed {
            // Also behind a lost answer: what is there then is this item, or somebody's own.
            return .stale(
                "the record was written at this moment by somebody else, or put back as it was")
        } catch {
            let place = source.refusal(change.table).place
            throw StoreError(
                place: place,
                reason: "the record was removed with attribute \(Quoted.name(other)), which it had "
                    + "not when it was read, and could not be put back",
                hint: "restore it from the table's backup")
        }
        return .stale(
            "the record gained attribute \(Quoted.name(other)) while it was removed; it was put "
                + "back"
        )
    }
}

extension DynamoDBSource {
    /// Writes one item; see `ItemWrite`.
    package func update(_ change: RecordChange) async throws -> UpdateOutcome {
        try await ItemWrite(source: self, change: change).run()
    }
}
