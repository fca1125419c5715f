package import MooringModel
import MooringText

// Consistent reads of single records.

extension DynamoDBSource {
    /// Reads the items of an identifier consistently: one by its whole key, or all of a partition
    /// where the mapping's id is the partition key alone.
    ///
    /// An id that leaves the partition key out would have to be looked for in an index, which is
    /// never consistent, or in the whole table, so it is refused.
    package func rows(
        table: String, idColumns: [String], id: RecordID, columns: [String]
    ) async throws -> [[FieldValue]] {
        try await inWords(table) {
            try await self.items(table, idColumns, id).map { item in columns.map { item[$0] } }
        }
    }

    /// The attributes that the record has now, and those that the mapping names.
    package func columns(
        table: String, idColumns: [String], id: RecordID
    ) async throws -> [String] {
        try await inWords(table) {
            var columns = idColumns
            let mapped = self.settings.models.filter { $0.table == table }.flatMap(\.columns)
            let own = try await self.items(table, idColumns, id).flatMap(\.names)
            var seen = Set(columns.map { Array($0.utf8) })
            for name in mapped + own where seen.insert(Array(name.utf8)).inserted {
                columns.append(name)
            }
            // Swift's dictionaries would take them for one.
            guard Set(columns).count == columns.count else {
                throw ItemFault(
                    reason: "has two attributes whose names differ in their Unicode form alone")
            }
            return columns
        }
    }

    /// The items of an identifier.
    func items(_ table: String, _ idColumns: [String], _ id: RecordID) async throws -> [Item] {
        let description = try await catalogue.description(table)
        let parts = Dictionary(
            zip(idColumns, id.parts), uniquingKeysWith: { first, _ in first })
        guard let hash = parts[description.hash.name] else {
            throw misnamed(table, idColumns, description)
        }
        // What no key can be, no item has.
        guard let hashValue = description.hash.typed(hash) else { return [] }
        var found: [Item]
        if let range = description.range {
            if let part = parts[range.name] {
                guard let rangeValue = range.typed(part) else { return [] }
                var key = RequestBody()
                key.add(description.hash.name, hashValue)
                key.add(range.name, rangeValue)
                found = try await item(table, key.text)
            } else {
                found = try await partition(table, description.hash.name, hashValue)
            }
        } else {
            var key = RequestBody()
            key.add(description.hash.name, hashValue)
            found = try await item(table, key.text)
        }
        // A number has many spellings, and an identifier only one.
        found.removeAll { item in
            !zip(idColumns, id.parts).allSatisfy { item[$0].bytes == $1 }
        }
        return found
    }

    /// Why records cannot be found by the mapping's id.
    func misnamed(
        _ table: String, _ idColumns: [String], _ description: TableDescription
    ) -> StoreError {
        let key = description.keys.map { Quoted.name($0.name) }.joined(separator: " and ")
        let said = idColumns.map(Quoted.name).joined(separator: " and ")
        return StoreError(
            place: refusal(table).place,
            reason: "its key is \(key), and the mapping says that the id is \(said): one record "
                + "cannot be read consistently by that",
            hint: "write id: [\(description.keys.map(\.name).joined(separator: ", "))] for the "
                + "model",
            isRefusal: true)
    }

    private func item(_ table: String, _ key: [UInt8]) async throws -> [Item] {
        var body = RequestBody()
        body.add("TableName", text: settings.names.stored(table))
        body.add("Key", key)
        body.add("ConsistentRead", true)
        let answer = try await client.read("GetItem", body.text)
        return try Self.members(of: answer).item.map { [$0] } ?? []
    }

    private func partition(
        _ table: String, _ name: String, _ value: [UInt8]
    ) async throws -> [Item] {
        var (names, values) = (RequestBody(), RequestBody())
        names.add("#h", text: name)
        values.add(":h", value)
        var course = SegmentCourse()
        var found: [Item] = []
        while true {
            var body = RequestBody()
            body.add("TableName", text: settings.names.stored(table))
            body.add("KeyConditionExpression", text: "#h = :h")
            body.add("ExpressionAttributeNames", names.text)
            body.add("ExpressionAttributeValues", values.text)
            body.add("ConsistentRead", true)
            if let start = course.start { body.add("ExclusiveStartKey", start) }
            let page = try Self.members(of: try await client.read("Query", body.text))
            guard page.hasItems else { throw ItemFault(reason: "to Query holds no items") }
            found += page.items
            guard try course.advance(page.next) else { return found }
        }
    }

    /// What an answer about single items holds.
    struct Members {
        /// Under `Item`; nil where there is none.
        var item: Item?
        /// Under `Attributes`: the item before a write; nil where there was none.
        var attributes: Item?
        /// Under `Items`.
        var items: [Item] = []
        /// Whether there were `Items`, be they none.
        var hasItems = false
        /// Under `LastEvaluatedKey`.
        var next: [UInt8]?
    }

    /// Reads an answer about single items.
    static func members(of answer: [UInt8]) throws(ItemFault) -> Members {
        try JSONCursor.whole(answer) { (cursor) throws(ItemFault) in
            var members = Members()
            try cursor.members { (cursor, name) throws(ItemFault) in
                try read(String(decoding: name, as: UTF8.self), &cursor, into: &members)
            }
            return members
        }
    }

    private static func read(
        _ name: String, _ cursor: inout JSONCursor, into members: inout Members
    ) throws(ItemFault) {
        switch name {
        case "Item": members.item = try Item(&cursor)
        case "Attributes": members.attributes = try Item(&cursor)
        case "Items":
            members.hasItems = true
            try cursor.elements { (cursor) throws(ItemFault) in
                members.items.append(try Item(&cursor))
            }
        default:
            let value = try cursor.locating { (cursor) throws(ItemFault) in try cursor.value() }
                .bytes
            guard name == "LastEvaluatedKey", !value.elementsEqual("null".utf8) else { return }
            guard value.first == UInt8(ascii: "{") else {
                throw ItemFault(reason: "holds a LastEvaluatedKey that is no key")
            }
            members.next = value
        }
    }
}
