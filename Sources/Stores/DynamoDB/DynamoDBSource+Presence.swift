package import MooringModel

extension DynamoDBSource: TableLister {
    /// Asks for each table's description; only the service's own word is absence.
    package func tablePresence() async throws -> [String: StorePresence] {
        var found: [String: StorePresence] = [:]
        for table in Set(settings.models.map(\.table)) {
            let name = settings.names.stored(table)
            do {
                _ = try await catalogue.description(table)
                found[name] = .there
            } catch let error as DynamoDBError where error.code == "ResourceNotFoundException" {
                found[name] = .gone
            } catch let error as CancellationError {
                throw error
            } catch {
                found[name] = .unknown("\(refusal(table).storeError(error) ?? error)")
            }
        }
        return found
    }

    /// Lists all tables.
    package func storedTables() async throws -> [String] {
        do {
            return try await catalogue.storedNames()
        } catch {
            throw refusal(nil).storeError(error) ?? error
        }
    }
}
