import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringReconcile

/// Ends a scan of which the first batch was all that was wanted.
struct FirstBatchRead: Error {}

/// The doctor's checks of one source: what can be read, and whether the mapping fits it.
struct SourceChecks {
    /// The command's configuration.
    let session: Session

    /// One line for the source, one for each table that the confirm scan may not read, those on
    /// what a run reads of a store that meters its reads, and one for each field whose first
    /// records hold no key as it is mapped.
    func examine(_ source: any RecordSource) async throws -> [Check] {
        let name = "records \(source.name)"
        let models = models(of: source.name)
        var forms = FieldForms(models)
        for number in models.indices {
            if let problem = try await readBatch(source, models, number, &forms) {
                return [Check(name: name, result: .failed, detail: problem.text)]
            }
        }
        let tables = Measure.count(Set(models.map(\.mapping.table)).count, "table")
        let line = Check(
            name: name, result: .passed,
            detail: "\(source.kind), \(tables) readable, \(try await life(of: source))")
        return [line] + (try await closedTables(source))
            + (try await costs(of: source))
            + forms.sentences.map { Check(name: name, result: .noted, detail: $0) }
    }

    // What a run reads of a store that meters its reads, before anybody is billed for it.
    private func costs(of source: any RecordSource) async throws -> [Check] {
        let own = session.configuration.records.first { $0.name == source.name }
        let mapped = (own?.mapping.models ?? []).map {
            TableColumns(table: $0.table, columns: $0.columns)
        }
        var scopes = [RecordScope.columns(mapped)]
        if session.configuration.confirm != .never {
            scopes.append(.all(unread: own?.unread ?? []))
        }
        return try await source.cost(scopes).map { sentence in
            Check(name: "records \(source.name)", result: .noted, detail: sentence)
        }
    }

    private func models(of source: String) -> [SourceModel] {
        let own = session.configuration.records.first { $0.name == source }
        return (own?.mapping.models ?? []).map { SourceModel(source: source, mapping: $0) }
    }

    // One batch of each mapped table is enough to see that it can be read.
    private func readBatch(
        _ source: any RecordSource, _ models: [SourceModel], _ number: Int,
        _ forms: inout FieldForms
    ) async throws -> ScanProblem? {
        let mapping = models[number].mapping
        let scope = RecordScope.columns([
            TableColumns(table: mapping.table, columns: mapping.columns)
        ])
        do {
            let result = try await source.scan(scope) { batch in
                if let reader = RecordReader(mapping: mapping, columns: batch.columns) {
                    for row in batch.rows {
                        guard let reading = reader.read(row) else { continue }
                        forms.add(reading, model: number, row: row, columns: batch.columns)
                    }
                }
                throw FirstBatchRead()
            }
            if let problem = result.problems.first { return problem }
        } catch is FirstBatchRead {
            // The columns only name what may have been meant: a source that cannot tell names none.
            let columns = (try? await source.columns(table: mapping.table)) ?? []
            forms.see(columns: columns, table: mapping.table, source: source.name)
        }
        return nil
    }

    private func life(of source: any RecordSource) async throws -> String {
        guard source.isLive else { return "a copy: findings only, no repair" }
        let limits = try await source.limits()
        if let reason = limits.proofs { return "nothing is repaired: \(reason)" }
        if let reason = limits.writes { return "records are not written: \(reason)" }
        return "live"
    }

    private func closedTables(_ source: any RecordSource) async throws -> [Check] {
        let own = session.configuration.records.first { $0.name == source.name }
        guard session.configuration.confirm != .never, source.isLive else { return [] }
        return try await source.unreadable(.all(unread: own?.unread ?? [])).map { problem in
            Check(
                name: "records \(source.name)", result: .failed,
                detail: "every run is incomplete: \(problem.text), or name it under 'unread'")
        }
    }
}
