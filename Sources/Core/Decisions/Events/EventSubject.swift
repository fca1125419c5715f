package import MooringModel

/// What events are looked for: one object, or one record. Pure.
package struct EventSubject: Hashable, Sendable {
    /// The names of the object's bucket: the store's own, and the configured one.
    package var buckets: Set<String>
    /// The object's key; nil of a record.
    package var key: [UInt8]?
    /// What a record would hold for the object, its whole key among it.
    package var values: Set<[UInt8]>
    /// The tables that may hold the record; none of an object, whose value any table may hold.
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

    /// What an event of a record says of the value that a record holds for the object, which a
    /// record of somebody else may hold too; nil of a record. `shown` makes the table printable.
    package func change(in event: LoggedEvent, _ shown: (String) -> String) -> String? {
        guard key != nil, case .record(let table, _, let before, let after) = event.subject else {
            return nil
        }
        let record = table.isEmpty ? "a record" : "a record of " + shown(table)
        guard let before, let after else {
            return "one of the images of \(record) with the same value is not told"
        }
        let (had, has) = (!values.isDisjoint(with: before), !values.isDisjoint(with: after))
        if had, !has { return "\(record) that held the same value holds it no more" }
        if !had, has { return "\(record) holds the same value now" }
        return had
            ? "\(record) holds the same value before and after"
            : "\(record) has the same value as its key"
    }

    /// The event without the texts that say nothing about the subject, so that a kept one is small
    /// whatever its images hold.
    func pared(_ event: LoggedEvent) -> LoggedEvent {
        guard case .record(let table, let texts, let before, let after) = event.subject else {
            return event
        }
        let telling = values.union(id)
        var pared = event
        pared.subject = .record(
            table: table, texts: Array(telling.intersection(texts)),
            before: before.map { Array(telling.intersection($0)) },
            after: after.map { Array(telling.intersection($0)) })
        return pared
    }

    // Amplify's tables have the model's name, an API's id and an environment.
    private func holds(_ table: String) -> Bool {
        table.isEmpty || tables.contains { table == $0 || table.hasPrefix($0 + "-") }
    }
}
