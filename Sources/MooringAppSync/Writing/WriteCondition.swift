import MooringModel

/// The condition under which a mutation writes, where the API itself detects no conflicts: every
/// field that was expected to hold a value holds it at that instant.
struct WriteCondition {
    /// Its JSON text; nil where nothing but the identifier was expected.
    let json: [UInt8]?

    // Amplify sets these itself with each write, and older APIs compare them with nothing; all that
    // a record holds is compared beside them.
    private static let stamps: Set<String> = ["createdAt", "updatedAt"]

    /// The condition of a change. Throws a reason where a mutation cannot compare what was
    /// expected.
    init(
        _ change: RecordChange, _ model: APIModel, _ mutation: APIModel.Mutation
    ) throws(Refusal) {
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
