package import MooringModel

extension DynamoDBSource {
    /// The id of each mapped table: one that was dropped and made anew has another.
    package func identity() async throws -> SourceIdentity {
        var identity = SourceIdentity(unreadParts: [])
        for table in Set(settings.models.map(\.table)).sorted() {
            let description = try await inWords(table) {
                try await self.catalogue.description(table)
            }
            if let id = description.id {
                identity.parts["table " + table] = id
            } else {
                identity.unread.append("the service tells no id of table \(Quoted.name(table))")
                identity.unreadParts?.insert("table " + table)
            }
        }
        return identity
    }
}
