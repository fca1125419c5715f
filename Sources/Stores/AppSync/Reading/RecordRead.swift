import MooringSchema
import MooringModel

/// Reads one record of a model by its identifier.
struct RecordRead {
    /// A record: the values of the columns that were asked for, by their names.
    typealias Row = [String: FieldValue]

    // An API whose answers differ for longer than this is not read at all.
    private static let readLimit = 6

    private let source: AppSyncSource
    private let model: APIModel
    private let id: RecordID
    private let idColumns: [String]
    private let columns: [APIModel.Column]
    private let operation: GraphQLOperation?

    /// A read of columns, of the version and of the identifier. Throws `StoreError` where the model
    /// is not read by these columns of an identifier.
    init(
        source: AppSyncSource, model: APIModel, idColumns: [String], id: RecordID,
        columns: [String]
    ) throws {
        self.source = source
        self.model = model
        self.id = id
        self.idColumns = idColumns
        let selected = model.selection(columns)
        self.columns = selected
        guard let get = model.get else {
            throw StoreError(
                place: source.place(model.name),
                reason: "no query of the schema gives one of its records", isRefusal: true)
        }
        guard Set(get.arguments.map(\.name)) == Set(idColumns), idColumns.count == id.parts.count
        else {
            let names = get.arguments.map(\.name).joined(separator: ", ")
            throw StoreError(
                place: source.place(model.name),
                reason: "a record is found by (\(names)), and not by "
                    + "(\(idColumns.joined(separator: ", ")))",
                hint: "write id: [\(names)] under the model", isRefusal: true)
        }
        let key = RecordKey(model: model, idColumns: idColumns, id: id)
        operation = key.values.map { values in
            let named = Dictionary(
                zip(idColumns, values), uniquingKeysWith: { first, _ in first })
            let parts = get.arguments.enumerated().map { index, argument in
                (name: argument.name, variable: "k\(index)", type: argument.type.text)
            }
            var operation = GraphQLOperation(
                name: get.name,
                text: "query Get("
                    + parts.map { "$\($0.variable): \($0.type)" }.joined(separator: ", ")
                    + ") { \(GraphQLOperation.result): \(get.name)("
                    + parts.map { "\($0.name): $\($0.variable)" }.joined(separator: ", ")
                    + ") { \(selected.selectionText) } }")
            operation.variables = parts.map { ($0.variable, named[$0.name] ?? Array("null".utf8)) }
            return operation
        }
    }

    /// The record as two reads in a row gave it, or as one did where that is enough; nil where it
    /// is absent. Throws `StoreError` where no two of them agree.
    func agreed() async throws -> Row? {
        var last = try await once()
        if source.options.readsAreConsistent || operation == nil { return last }
        for _ in 1..<Self.readLimit {
            if source.options.readPause > .zero {
                try await Task.sleep(for: source.options.readPause)
            }
            let next = try await once()
            if next == last { return next }
            last = next
        }
        throw StoreError(
            place: source.place(model.name),
            reason: "\(Self.readLimit) reads of a record gave no two alike in a row",
            hint: "run it again when fewer devices write", isRefusal: true)
    }

    /// The record as one read gives it; nil where it is absent.
    func once() async throws -> Row? {
        // A record of an identifier that the API's types do not hold cannot be there.
        guard let operation else { return nil }
        let answer = try await source.client.ask(operation)
        if let told = answer.told {
            throw StoreError(
                place: source.client.place(operation),
                reason: "the API answered with errors: \(told)", isRefusal: true)
        }
        // JSON null says that there is none; a member that is not there says nothing.
        let told = answer.data?.members?.contains {
            $0.name.elementsEqual(GraphQLOperation.result.utf8)
        }
        guard told == true else {
            throw StoreError(
                place: source.client.place(operation),
                reason: "the answer does not say whether there is such a record", isRefusal: true)
        }
        guard let result = answer.result else { return nil }
        let row = Row(answer: result, columns)
        for (column, part) in zip(idColumns, id.parts) where row[column]?.bytes != part {
            throw StoreError(
                place: source.client.place(operation),
                reason: "the API gave another record than the one that was asked for",
                isRefusal: true)
        }
        return row
    }
}

extension RecordRead.Row {
    /// The columns of a record in an answer.
    init(answer: JSONNode, _ columns: [APIModel.Column]) {
        self = Dictionary(
            columns.map { ($0.name, AnswerValue.value(answer[$0.name], of: $0)) },
            uniquingKeysWith: { first, _ in first })
    }
}

/// A record's identifier as an API takes it.
struct RecordKey {
    /// The values of the id columns as JSON texts, in their order; nil where one of them cannot be
    /// a value of its column's type.
    let values: [[UInt8]]?

    /// An identifier of a model.
    init(model: APIModel, idColumns: [String], id: RecordID) {
        var values: [[UInt8]] = []
        for (column, part) in zip(idColumns, id.parts) {
            let base = model.column(column)?.type.base
            guard let text = String(validating: part, as: UTF8.self),
                let value = Self.value(text, base)
            else {
                self.values = nil
                return
            }
            values.append(value)
        }
        self.values = values
    }

    private static func value(_ text: String, _ type: String?) -> [UInt8]? {
        switch type {
        case "Int", "AWSTimestamp":
            guard let number = Int64(text), String(number) == text else { return nil }
            return Array(text.utf8)
        case "Float": return Double(text).map { _ in Array(text.utf8) }
        default: return InputText.string(text)
        }
    }
}
