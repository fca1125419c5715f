package import MooringModel

// What keeps an API's records from being read to their end, and from being written.

extension AppSyncSource {
    /// Why absences prove nothing: a caller from whom records may be hidden, or a configuration
    /// that is about another API. Why records are not written: the policy, versions that nobody
    /// told of, or a schema without mutations.
    package func limits() async throws -> RecordLimits {
        if let hiding = options.hiding { return RecordLimits(proofs: hiding) }
        if let refusal = options.refusal { return RecordLimits(writes: refusal) }
        let found = try await models.all()
        if let reason = contradiction(found) { return RecordLimits(proofs: reason) }
        if let reason = unsaid(found) { return RecordLimits(writes: reason) }
        guard found.takesWrites else {
            return RecordLimits(writes: "the API's schema has no mutations")
        }
        return RecordLimits()
    }

    /// What a pass over a scope will not read, as the schema tells it.
    package func unreadable(_ scope: RecordScope) async throws -> [ScanProblem] {
        var scan = ModelScan(client: client, options: options)
        plan(&scan, scope, try await models.all())
        return scan.problems
    }

    /// Plans a pass. Where the configuration is about another API, nothing is asked.
    func plan(_ scan: inout ModelScan, _ scope: RecordScope, _ found: ModelList.Found) {
        guard let reason = contradiction(found) else { return scan.plan(scope, found) }
        scan.note(ScanProblem(place: client.endpoint.text, reason: reason))
    }

    /// Refuses to write what is not to be written.
    func refuseWrite(_ table: String) async throws {
        let found = try await models.all()
        guard let reason = options.refusal ?? contradiction(found) ?? unsaid(found) else { return }
        throw StoreError(place: place(table), reason: reason, isRefusal: true)
    }

    private func contradiction(_ found: ModelList.Found) -> String? {
        guard options.versions == .denied, let model = versioned(found) else { return nil }
        return "model \(model) shows \(APIModel.version), so the API detects conflicts, and race "
            + "says conflicts: none; write \(Self.modes)"
    }

    private func unsaid(_ found: ModelList.Found) -> String? {
        guard options.versions == .unsaid, let model = versioned(found) else { return nil }
        return "model \(model) shows \(APIModel.version), so the API detects conflicts, and the "
            + "configuration does not say how it settles them; under race write \(Self.modes)"
    }

    private func versioned(_ found: ModelList.Found) -> String? {
        found.models.first(where: \.isVersioned)?.name.debugDescription
    }

    private static let modes =
        "conflicts: optimistic, automerge or lambda, as the API is set up (transform.conf.json of "
        + "an Amplify project says it)"
}
