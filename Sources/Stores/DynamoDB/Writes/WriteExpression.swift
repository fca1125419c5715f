import MooringModel
import MooringText

/// The expressions of one write, whose names and values stand under placeholders: many names are
/// reserved words, and no value is ever part of a text that the service parses.
struct WriteExpression {
    private var names: [String] = []
    private var values: [[UInt8]] = []
    private var conditions: [String] = []
    private var sets: [String] = []
    private var removals: [String] = []
    private var subtractions: [String] = []

    // What the service takes of one expression.
    private static let longest = 4_096
    private static let mostOperators = 300

    /// Demands that the record is there, or that it is not, by an attribute of its key.
    mutating func demand(_ key: String, exists: Bool) {
        let function = exists ? "attribute_exists" : "attribute_not_exists"
        conditions.append("\(function)(\(name(key)))")
    }

    /// Demands that an attribute holds a value; nil that there is no such attribute.
    mutating func demand(_ attribute: String, holds value: [UInt8]?) {
        guard let value else { return demand(attribute, exists: false) }
        conditions.append("\(name(attribute)) = \(self.value(value))")
    }

    /// Demands that an element of a list holds a value.
    mutating func demand(_ attribute: String, element: Int, holds value: [UInt8]) {
        conditions.append("\(name(attribute))[\(element)] = \(self.value(value))")
    }

    /// Sets an attribute.
    mutating func set(_ attribute: String, to value: [UInt8]) {
        sets.append("\(name(attribute)) = \(self.value(value))")
    }

    /// Removes an attribute, or one element of its list.
    mutating func remove(_ attribute: String, element: Int? = nil) {
        removals.append(name(attribute) + (element.map { "[\($0)]" } ?? ""))
    }

    /// Removes the elements of one set from another.
    mutating func subtract(_ elements: [UInt8], from attribute: String) {
        subtractions.append("\(name(attribute)) \(value(elements))")
    }

    /// Adds everything to a request. Throws where it is more than the service takes.
    func add(to body: inout RequestBody) throws(ItemFault) {
        let condition = conditions.joined(separator: " AND ")
        guard condition.utf8.count <= Self.longest, conditions.count * 2 <= Self.mostOperators
        else {
            throw ItemFault(
                reason: "has \(conditions.count) attributes, more than one condition may compare")
        }
        body.add("ConditionExpression", text: condition)
        let clauses = [("SET", sets), ("REMOVE", removals), ("DELETE", subtractions)]
        let update = clauses.filter { !$0.1.isEmpty }
            .map { "\($0.0) " + $0.1.joined(separator: ", ") }.joined(separator: " ")
        if !update.isEmpty { body.add("UpdateExpression", text: update) }
        var known = RequestBody()
        for (index, name) in names.enumerated() { known.add("#n\(index)", text: name) }
        body.add("ExpressionAttributeNames", known.text)
        guard !values.isEmpty else { return }
        var held = RequestBody()
        for (index, value) in values.enumerated() { held.add(":v\(index)", value) }
        body.add("ExpressionAttributeValues", held.text)
    }

    private mutating func name(_ attribute: String) -> String {
        if let index = names.firstIndex(where: { $0.utf8.elementsEqual(attribute.utf8) }) {
            return "#n\(index)"
        }
        names.append(attribute)
        return "#n\(names.count - 1)"
    }

    private mutating func value(_ value: [UInt8]) -> String {
        values.append(value)
        return ":v\(values.count - 1)"
    }
}
