package import MooringModel

/// What events are looked for: one object, or one record. Pure.
package struct EventSubject: Hashable, Sendable {
    /// The names of the object's bucket: the store's own, and the configured one.
    package var buckets: Set<String>
    /// The object's key; nil of a record.
    package var key: [UInt8]?
    /// What a record would hold for the object, its whole key among it.
    package var values: Set<[UInt8]>
    /// The tables that hold the record, or records that may hold the object's key.
    package var tables: Set<String>
    /// The parts of the record's id; none of an object.
    package var id: [[UInt8]]

    /// An object.
    package init(object key: [UInt8], buckets: Set<String>, values: Set<[UInt8]>) {
        (self.key, self.buckets, self.values) = (key, buckets, values.union([key]))
        (tables, id) = ([], [])
    }

    /// A record of a table.
    package init(record id: [[UInt8]], tables: Set<String>) {
        (self.id, self.tables) = (id, tables)
        (key, buckets, values) = (nil, [], [])
    }

    /// Whether an event is about it.
    package func concerns(_ event: LoggedEvent) -> Bool {
        switch event.subject {
        case .object(let bucket, let named):
            return key != nil && named == key && buckets.contains(bucket)
        case .record(let table, let texts, let before, let after):
            guard key == nil else {
                return !values.isDisjoint(with: texts + (before ?? []) + (after ?? []))
            }
            return holds(table) && !id.isEmpty && id.allSatisfy(texts.contains)
        }
    }

    /// Whether it tells of the same request as an event about it, and of no other object.
    package func isBeside(_ event: LoggedEvent, requests: Set<String>) -> Bool {
        guard let id = event.requestID, requests.contains(id),
            case .object(let bucket, nil) =
                event.subject
        else { return false }
        return buckets.contains(bucket)
    }

    /// What an event of a record says of the object: nothing where it holds the key as before.
    package func change(in event: LoggedEvent) -> String? {
        guard key != nil, case .record(_, _, let before, let after) = event.subject else {
            return nil
        }
        guard let before, let after else { return "one of its record's images is not told" }
        let (had, has) = (!values.isDisjoint(with: before), !values.isDisjoint(with: after))
        if had, !has { return "the record lost its reference to it" }
        if !had, has { return "the record got a reference to it" }
        return "the record refers to it before and after"
    }

    // Amplify's tables have the model's name, an API's id and an environment.
    private func holds(_ table: String) -> Bool {
        table.isEmpty || tables.contains { table == $0 || table.hasPrefix($0 + "-") }
    }
}
