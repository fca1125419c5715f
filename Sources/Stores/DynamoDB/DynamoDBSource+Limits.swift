package import MooringModel

// What keeps records from being written directly.

extension DynamoDBSource {
    /// Absences prove nothing where other regions may write a mapped table's replicas, unless the
    /// settings say that none does. Records are not written where AppSync's conflict detection
    /// keeps their table, unless the settings say so; nor where the mapping's id is not the
    /// table's key.
    package func limits() async throws -> RecordLimits {
        var tables: [String] = []
        for model in settings.models where !tables.contains(model.table) {
            tables.append(model.table)
        }
        for table in tables {
            let reason = try await inWords(table) { try await self.replication(table) }
            if let reason {
                return RecordLimits(proofs: "table \(Quoted.name(table)): \(reason)")
            }
        }
        for table in tables {
            let reason = try await inWords(table) { try await self.obstacle(table) }
            if let reason {
                return RecordLimits(writes: "table \(Quoted.name(table)): \(reason)")
            }
        }
        return RecordLimits()
    }

    private func obstacle(_ table: String) async throws -> String? {
        let description = try await catalogue.description(table)
        for model in settings.models where model.table == table {
            guard description.keys.allSatisfy({ model.id.contains($0.name) }) else {
                return misnamed(table, model.id, description).rest
            }
        }
        return try await versions(table, samples: true)
    }

    /// Refuses to write a table whose replicas other regions may write.
    func refuseReplicated(_ table: String) async throws {
        guard let reason = try await replication(table) else { return }
        throw StoreError(place: refusal(table).place, reason: reason, isRefusal: true)
    }

    private func replication(_ table: String) async throws -> String? {
        guard !settings.isOnlyWriter, try await catalogue.description(table).isReplicatedLater
        else { return nil }
        return "it is a global table without strong consistency between regions: a record that "
            + "another region holds may not be here yet, and a conditional write here beats one "
            + "there; write writers: thisRegion under dynamodb: where no other region writes"
    }

    /// Refuses to write a table under conflict detection, or one of these records.
    func refuseVersioned(_ table: String, _ items: [Item]) async throws {
        guard !settings.writesVersioned else { return }
        let reason =
            items.contains(where: \.isVersioned)
            ? Self.advised("the record holds _version")
            : try await versions(table, samples: false)
        guard let reason else { return }
        throw StoreError(place: refusal(table).place, reason: reason, isRefusal: true)
    }

    private func versions(_ table: String, samples: Bool) async throws -> String? {
        guard !settings.writesVersioned else { return nil }
        let tables = VersionedTables(
            catalogue: catalogue, client: client, names: settings.names)
        let versions = settings.models.filter { $0.table == table }.compactMap(\.version)
        return try await tables.reason(table, versions: versions, samples: samples)
            .map(Self.advised)
    }

    private static func advised(_ reason: String) -> String {
        "it is under AppSync's conflict detection, since \(reason): a direct write reaches no "
            + "device, and any of them can write the old value back; let appsync: write it, or "
            + "set versionedTables: write under dynamodb:"
    }
}
