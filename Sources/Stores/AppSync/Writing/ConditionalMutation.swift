import MooringModel

/// A conditional write to one record: read, compared, written by a mutation that itself is
/// conditional, and read again.
struct ConditionalMutation {
    /// Where the record lies.
    let source: AppSyncSource
    /// Its model.
    let model: APIModel
    /// What to write, and what must be there.
    let change: RecordChange

    /// What is sent, and what has to come of it.
    private struct Plan {
        let operation: GraphQLOperation
        /// The columns that are written; none where a record is removed.
        let written: [ColumnValue]
        let isRemoval: Bool
    }

    /// Writes, or changes nothing. Throws `StoreError`.
    func run() async throws -> UpdateOutcome {
        var columns = (change.expected + change.assignments).map(\.column)
        if let stamp = WriteCondition.stamp(model, removes ? model.delete : model.update) {
            columns.append(stamp)
        }
        let read = try RecordRead(
            source: source, model: model, idColumns: change.idColumns, id: change.id,
            columns: columns)
        let row = try await read.agreed()
        if change.act == .insert, let row, isTombstone(row) {
            return .stale("a deleted record of this id is kept by the API")
        }
        let difference = change.difference(rows: row == nil ? 0 : 1) { holds($1, in: row ?? [:]) }
        if let difference { return .stale(difference) }
        let plan: Plan
        do throws(Refusal) {
            plan = try self.plan(row)
        } catch {
            throw StoreError(
                place: source.place(model.name), reason: error.reason, isRefusal: true)
        }
        return try await send(plan, before: row, read)
    }

    // MARK: What is sent

    private func plan(_ row: RecordRead.Row?) throws(Refusal) -> Plan {
        if change.act == .insert { return try insertion() }
        if let row, isTombstone(row) {
            throw Refusal(
                "the record is deleted, and nothing is known that brings it back: no mutation "
                    + "takes _deleted")
        }
        if mark != nil, !buries { throw Refusal("no mutation takes _deleted away") }
        if change.act == .delete, model.isVersioned {
            throw Refusal(
                "the API keeps deleted records, and the configuration does not name their mark; "
                    + "write deleted: \(APIModel.deleted)")
        }
        let isRemoval = removes
        let written = isRemoval ? [] : change.assignments.filter { !isOwn($0.column) }
        let word = isRemoval ? "deletes" : "updates"
        guard let mutation = isRemoval ? model.delete : model.update else {
            throw Refusal("the schema has no mutation that \(word) a \(model.name)")
        }
        var input = try identifier()
        if model.isVersioned {
            guard mutation.fields?.contains(APIModel.version) != false,
                case .integer(let version) = row?[APIModel.version]
            else { throw Refusal("\(mutation.name) takes no _version, or the record has none") }
            input.append((APIModel.version, Array(String(version).utf8)))
        }
        input += try members(written, mutation)
        let condition = try WriteCondition(change, model, mutation, row: row ?? [:]).json
        return Plan(
            operation: operation(mutation, InputText.object(input), condition), written: written,
            isRemoval: isRemoval)
    }

    private var mark: ColumnValue? {
        change.assignments.first { isOwn($0.column) && $0.column == APIModel.deleted }
    }

    // A record that the API keeps as deleted.
    private var buries: Bool { mark.map { InputValue.truth($0.value) == true } ?? false }

    private var removes: Bool { buries || change.act == .delete }

    private func insertion() throws(Refusal) -> Plan {
        guard let mutation = model.create else {
            throw Refusal("the schema has no mutation that creates a \(model.name)")
        }
        // Amplify sets the times itself, unless the input takes them.
        let written = change.assignments.filter { assigned in
            if change.idColumns.contains(assigned.column) || assigned.value.isMissing
                || isOwn(assigned.column)
            {
                return false
            }
            return !["createdAt", "updatedAt"].contains(assigned.column)
                || mutation.fields?.contains(assigned.column) == true
        }
        let input = try identifier() + members(written, mutation)
        return Plan(
            operation: operation(mutation, InputText.object(input), nil), written: written,
            isRemoval: false)
    }

    private func isOwn(_ column: String) -> Bool {
        model.isVersioned && APIModel.own.contains(column)
    }

    private func identifier() throws(Refusal) -> [(name: String, json: [UInt8])] {
        let key = RecordKey(model: model, idColumns: change.idColumns, id: change.id)
        guard let values = key.values else { throw Refusal("the API cannot hold this identifier") }
        return zip(change.idColumns, values).map { ($0, $1) }
    }

    private func members(
        _ values: [ColumnValue], _ mutation: APIModel.Mutation
    ) throws(Refusal) -> [(name: String, json: [UInt8])] {
        var members: [(name: String, json: [UInt8])] = []
        for value in values {
            guard mutation.fields?.contains(value.column) != false else {
                throw Refusal("\(mutation.name) does not write the field \(value.column)")
            }
            guard let column = model.column(value.column),
                let json = InputValue.json(value.value, for: column)
            else { throw Refusal("the field \(value.column) cannot hold what is written") }
            members.append((value.column, json))
        }
        return members
    }

    // Devices that subscribe to mutations learn of a record what the mutation itself asks back:
    // that is all of it.
    private func operation(
        _ mutation: APIModel.Mutation, _ input: [UInt8], _ condition: [UInt8]?
    ) -> GraphQLOperation {
        let type = condition == nil ? nil : mutation.condition
        let (declared, passed) =
            type.map { (", $condition: \($0)", ", condition: $condition") } ?? ("", "")
        var operation = GraphQLOperation(
            name: mutation.name,
            text: "mutation Write($input: \(mutation.input)!\(declared)) { "
                + "\(GraphQLOperation.result): \(mutation.name)(input: $input\(passed)) { "
                + "\(model.columns.selectionText) } }")
        operation.isMutation = true
        operation.variables = [("input", input)]
        if let condition { operation.variables.append(("condition", condition)) }
        return operation
    }

    // MARK: What came of it

    private func send(
        _ plan: Plan, before: RecordRead.Row?, _ read: RecordRead
    ) async throws -> UpdateOutcome {
        let answer = try await source.client.ask(plan.operation)
        let place = source.client.place(plan.operation)
        let kinds = answer.told ?? ""
        if answer.isConflict { return try await conflict(plan, kinds, before: before, read) }
        guard let result = answer.result else {
            throw StoreError(
                place: place,
                reason: answer.errors.isEmpty
                    ? "the answer does not say what became of the record"
                    : "the API answered with errors: \(kinds)",
                isRefusal: answer.isRefusal)
        }
        // An answer may hide fields from who writes them, so that only a read tells what holds.
        let answered = RecordRead.Row(answer: result, model.columns)
        return try await verify(plan, before: before, answered, read)
    }

    // Something on the way may have sent the mutation twice, so that this is the answer to the
    // second, behind one that was carried out.
    private func conflict(
        _ plan: Plan, _ kinds: String, before: RecordRead.Row?, _ read: RecordRead
    ) async throws -> UpdateOutcome {
        var row = try await read.agreed()
        var tries = 1
        while row == before, tries < Self.readings, !source.options.readsAreConsistent {
            try await Task.sleep(for: source.options.readPause)
            row = try await read.agreed()
            tries += 1
        }
        guard isDone(plan, row) else { return .stale("another writer came between (\(kinds))") }
        throw StoreError(
            place: source.place(model.name),
            reason: "it was refused as if another writer had come between (\(kinds)), and the "
                + "record is as it would have left it")
    }

    // How often a record is read that may be an old one.
    private static let readings = 5

    // An API that gave what it wrote may yet read out what was there before, for a while.
    private func verify(
        _ plan: Plan, before: RecordRead.Row?, _ answered: RecordRead.Row, _ read: RecordRead
    ) async throws -> UpdateOutcome {
        var tries = 0
        while true {
            let row: RecordRead.Row?
            do {
                row = try await read.agreed()
            } catch let error as StoreError {
                throw StoreError(
                    place: error.place,
                    reason: "it was written, and could not be read again: \(error.reason)",
                    hint: error.hint)
            }
            if isDone(plan, row) { return .written }
            tries += 1
            let isOld = isOld(row, before: before, answered)
            // Without versions nothing is merged: what the API says that it wrote, it wrote.
            if isOld, tries >= Self.readings, !model.isVersioned, isDone(plan, answered) {
                return .written
            }
            guard isOld, tries < Self.readings, !source.options.readsAreConsistent else {
                // No `stale`, which would say that nothing changed.
                throw StoreError(
                    place: source.place(model.name),
                    reason: "it did not hold: it was sent, and the record holds another value; "
                        + "the API may have merged it with what another writer left")
            }
            try await Task.sleep(for: source.options.readPause)
        }
    }

    private func isDone(_ plan: Plan, _ row: RecordRead.Row?) -> Bool {
        guard plan.isRemoval else {
            return row.map { row in plan.written.allSatisfy { holds($0, in: row) } } ?? false
        }
        return row.map(isTombstone) ?? true
    }

    private func isOld(
        _ row: RecordRead.Row?, before: RecordRead.Row?, _ answered: RecordRead.Row
    ) -> Bool {
        guard model.isVersioned else { return row == before }
        guard case .integer(let written) = answered[APIModel.version] else { return false }
        guard case .integer(let version) = row?[APIModel.version] else { return row == before }
        return version < written
    }

    private func holds(_ value: ColumnValue, in row: RecordRead.Row) -> Bool {
        model.column(value.column).map { column in
            InputValue.isSame(value.value, row[column.name] ?? .null, column)
        } ?? false
    }

    private func isTombstone(_ row: RecordRead.Row) -> Bool {
        model.isVersioned && InputValue.truth(row[APIModel.deleted] ?? .null) == true
    }
}
