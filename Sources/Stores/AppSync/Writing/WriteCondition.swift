import MooringSchema
import MooringModel

/// The condition under which a mutation writes: every field that was expected to hold a value holds
/// it at that instant.
///
/// Where the API detects conflicts it is compared beside the version, as Amplify's own devices send
/// both (`DataStore.save` with a predicate): a writer past the API, such as a function that writes
/// the table, moves no version. There a field that no condition compares is left to the version.
struct WriteCondition {
    /// Its JSON text; nil where nothing but the identifier was expected.
    let json: [UInt8]?

    // Amplify sets these itself with each write, and older APIs compare them with nothing; all that
    // a record holds is compared beside them.
    private static let stamps: Set<String> = ["createdAt", "updatedAt"]

    /// The condition of a change to a record as it was read. Throws a reason where a mutation
    /// cannot compare what was expected, and nothing else does.
    init(
        _ change: RecordChange, _ model: APIModel, _ mutation: APIModel.Mutation,
        row: RecordRead.Row
    ) throws(Refusal) {
        guard !model.isVersioned else {
            json = Self.besideVersion(change, model, mutation, row)
            return
        }
        var terms: [[UInt8]] = []
        for expected in change.expected where !change.idColumns.contains(expected.column) {
            guard let column = model.column(expected.column) else { continue }
            let isKnown = mutation.conditionFields?.contains(column.name)
            if Self.stamps.contains(column.name), isKnown != true { continue }
            guard column.nested == nil, isKnown != false else {
                throw Refusal(
                    "\(column.name) cannot be compared by a condition of a mutation, and the API "
                        + "detects no conflicts")
            }
            if expected.value.isMissing {
                terms.append(Self.isMissing(column.name))
                continue
            }
            guard column.isComparable else {
                throw Refusal(
                    "\(column.name) is a list, which no condition of a mutation compares, and the "
                        + "API detects no conflicts")
            }
            guard let value = InputValue.json(expected.value, for: column) else {
                throw Refusal("\(column.name) cannot hold what was expected")
            }
            terms.append(InputText.object([(column.name, InputText.object([("eq", value)]))]))
        }
        guard !terms.isEmpty else {
            json = nil
            return
        }
        guard mutation.condition != nil else {
            throw Refusal("\(mutation.name) takes no condition, and the API detects no conflicts")
        }
        json = InputText.object([("and", InputText.list(terms))])
    }

    /// The column that a condition compares, though no change expects it: a list is compared by
    /// none, and who changes it changes the time as well. Nil where the API compares no time.
    static func stamp(_ model: APIModel, _ mutation: APIModel.Mutation?) -> String? {
        let name = "updatedAt"
        guard model.isVersioned, model.column(name) != nil,
            mutation?.conditionFields?.contains(name) == true
        else { return nil }
        return name
    }

    private static func besideVersion(
        _ change: RecordChange, _ model: APIModel, _ mutation: APIModel.Mutation,
        _ row: RecordRead.Row
    ) -> [UInt8]? {
        guard mutation.condition != nil else { return nil }
        var expected = change.expected
        if let stamp = stamp(model, mutation), let value = row[stamp],
            !expected.contains(where: { $0.column == stamp })
        {
            expected.append(ColumnValue(stamp, value))
        }
        let terms = expected.compactMap { expected -> [UInt8]? in
            let name = expected.column
            guard !change.idColumns.contains(name), !APIModel.own.contains(name),
                let column = model.column(name), column.isComparable
            else { return nil }
            let isKnown = mutation.conditionFields?.contains(name)
            guard isKnown ?? !stamps.contains(name) else { return nil }
            if expected.value.isMissing {
                // A test that the API does not know would refuse the whole mutation.
                let isTold = mutation.missableFields?.contains(name) ?? column.isMissable
                return isTold ? isMissing(name) : nil
            }
            guard let value = InputValue.json(expected.value, for: column) else { return nil }
            return InputText.object([(name, InputText.object([("eq", value)]))])
        }
        return terms.isEmpty ? nil : InputText.object([("and", InputText.list(terms))])
    }

    // A field may have been left out of the record, or have been written as null.
    private static func isMissing(_ name: String) -> [UInt8] {
        let tests = [
            ("attributeExists", Array("false".utf8)), ("attributeType", InputText.string("_null")),
        ]
        let terms = tests.map { test in InputText.object([(name, InputText.object([test]))]) }
        return InputText.object([("or", InputText.list(terms))])
    }
}

/// Why a mutation is not sent: nothing was done.
struct Refusal: Error {
    /// The reason, without any content.
    let reason: String

    /// A refusal in words.
    init(_ reason: String) { self.reason = reason }
}

extension APIModel.Column {
    /// Whether the condition that Amplify generates for its type can say that there is no value:
    /// that of an enumeration cannot.
    fileprivate var isMissable: Bool {
        ["ID", "String", "Int", "Float", "Boolean"].contains(type.base)
            || type.base.hasPrefix("AWS")
    }
}
