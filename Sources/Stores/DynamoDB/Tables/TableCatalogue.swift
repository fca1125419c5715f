import MooringModel
import MooringText
import Synchronization

/// What is known of the tables: their names, descriptions, and which of them are under conflict
/// detection. A table's key never changes, so it is asked for once.
final class TableCatalogue: Sendable {
    private struct State {
        var descriptions: [String: TableDescription] = [:]
        // By the configuration's name: whether an item with the marks was seen; nil where no item
        // was looked at.
        var versioned: [String: Bool] = [:]
        var storedNames: Set<String>?
    }

    private let client: DynamoDBClient
    private let names: TableNames
    private let state = Mutex(State())

    /// The tables of one service.
    init(client: DynamoDBClient, names: TableNames) {
        self.client = client
        self.names = names
    }

    /// The description of a table by its configured name. Throws as `DynamoDBClient.read` does,
    /// and `ItemFault`.
    func description(_ table: String) async throws -> TableDescription {
        if let known = state.withLock({ $0.descriptions[table] }) { return known }
        var body = RequestBody()
        body.add("TableName", text: names.stored(table))
        let found = try TableDescription(try await client.read("DescribeTable", body.text))
        state.withLock { $0.descriptions[table] = found }
        return found
    }

    /// The configured names of every table that prefix and suffix fit, in the service's order.
    func tables() async throws -> [String] {
        try await storedNames().compactMap(names.configured)
    }

    /// The store's names of all tables, as they were listed last in this process.
    func knownNames() async throws -> Set<String> {
        if let known = state.withLock({ $0.storedNames }) { return known }
        return Set(try await storedNames())
    }

    /// The store's names of every table of the account in this region.
    func storedNames() async throws -> [String] {
        var found: [String] = []
        var last: String?
        var seen: Set<String> = []
        repeat {
            var body = RequestBody()
            if let last { body.add("ExclusiveStartTableName", text: last) }
            let answer = try await client.read("ListTables", body.text)
            // What cannot be parsed lists no table.
            guard let node = try? JSONNode(parsing: answer),
                let page = node["TableNames"]?.elements
            else { throw ItemFault(reason: "lists no tables") }
            let names = page.compactMap(\.string)
            let next = node["LastEvaluatedTableName"]
            guard names.count == page.count, next == nil || next?.string != nil else {
                throw ItemFault(reason: "of ListTables holds a name that is no text")
            }
            found += names
            last = next?.string
            if let last, !seen.insert(last).inserted {
                throw ItemFault(reason: "of ListTables names the same next table again")
            }
        } while last != nil
        state.withLock { [found] in $0.storedNames = Set(found) }
        return found
    }

    /// Notes whether items of a table that were read had the marks of conflict detection.
    func note(_ table: String, sawVersions: Bool) {
        state.withLock { state in
            if sawVersions || state.versioned[table] == nil { state.versioned[table] = sawVersions }
        }
    }

    /// Whether items of a table with the marks were seen; nil where none was looked at.
    func isVersioned(_ table: String) -> Bool? { state.withLock { $0.versioned[table] } }
}
