import MooringModel

/// Finds out which tables AppSync keeps under conflict detection: a write past AppSync reaches no
/// device, and any of them can write the old value back.
struct VersionedTables {
    /// The tables.
    let catalogue: TableCatalogue
    /// The client.
    let client: DynamoDBClient
    /// How they are named.
    let names: TableNames

    // Enough items that one written since conflict detection was switched on is likely among them.
    private static let sample = 100

    /// Why a table must not be written directly; nil where nothing says that it is under conflict
    /// detection. `versions` are the attributes that the mapping names as versions; with `samples`
    /// some records are read where none were before.
    func reason(_ table: String, versions: [String], samples: Bool) async throws -> String? {
        if versions.contains(VersionMarks.names[0]) {
            return "the mapping names \(VersionMarks.names[0]) as the version"
        }
        let stored = try await catalogue.knownNames()
        if let delta = Self.deltas(of: names.stored(table), names).first(where: stored.contains) {
            return "there is the delta table \(Quoted.name(delta))"
        }
        if samples, catalogue.isVersioned(table) == nil { try await look(at: table) }
        return catalogue.isVersioned(table) == true ? "its records hold _version" : nil
    }

    /// The names that Amplify and AppSync's documentation give to a delta table.
    static func deltas(of table: String, _ names: TableNames) -> [String] {
        [
            names.stored("AmplifyDataStore"), table + "Delta", table + "-delta", table + "_delta",
            table + "-Delta", "Delta" + table, "delta-" + table,
        ]
    }

    private func look(at table: String) async throws {
        var body = RequestBody()
        body.add("TableName", text: names.stored(table))
        body.add("Limit", Self.sample)
        Projection(VersionMarks.names).add(to: &body)
        let answer = try await client.read("Scan", body.text)
        let page = try ScanPage(
            answer, ChosenItems([TableColumns(table: table, columns: [])]))
        catalogue.note(table, sawVersions: page.sawVersions)
    }
}
