import MooringDecisions
import MooringModel

/// Reads an object's possible owners, strongly consistent.
struct OwnerReader {
    /// What the repair works with.
    let job: Job

    /// Whether one of a step's possible owners references its object now, or what it was made from
    /// lives.
    func answer(_ step: PlanStep, _ key: ObjectKey) async -> OwnersAnswer {
        let bucket = step.bucket ?? ""
        let owners = await answer(step.precondition.owners, bucket: bucket, key: key)
        guard owners == .unreferenced else { return owners }
        return await sourceAnswer(key, bucket: bucket, owners: step.precondition.owners)
    }

    /// Whether one of these records references the object now.
    func answer(
        _ owners: [RecordIdentity], bucket: String, key: ObjectKey
    ) async -> OwnersAnswer {
        for owner in owners {
            guard let source = job.source(owner.source), let mapping = job.mapping(owner) else {
                return .unknown("\(owner.source)/\(owner.model) is not configured")
            }
            do {
                let rows = try await source.rows(
                    table: mapping.table, idColumns: mapping.id, id: owner.id,
                    columns: mapping.columns)
                guard let reader = RecordReader(mapping: mapping, columns: mapping.columns)
                else { return .unknown("the mapping of \(owner.model) names no id") }
                for reading in rows.compactMap(reader.read)
                where references(reading, mapping, bucket, key) {
                    return .referenced
                }
            } catch {
                return .unknown("\(error)")
            }
        }
        return .unreferenced
    }

    // A value that cannot be read as a list or object may hold the key: that is doubt enough.
    private func references(
        _ reading: RecordReading, _ mapping: ModelMapping, _ bucket: String, _ key: ObjectKey
    ) -> Bool {
        if reading.unusable.contains(where: \.hidesReferences) { return true }
        let meaning = job.meaning
        let number = meaning.names.number(named: bucket)
        return reading.references.contains { reference in
            let field = mapping.files[reference.field]
            guard let number else {
                return meaning.places(of: reference, in: field, identity: reading.identity)
                    .patterns.contains { $0.matches(key) }
            }
            return meaning.mayMean(
                key, in: number, by: reference, in: field, identity: reading.identity)
        }
    }
}
