import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks at the objects that stand in the lists of possible owners, where an orphan may have been
/// lost from such a list by two appends at once.
struct SiblingLook {
    /// The stores.
    let job: Job

    /// Tells each orphan of the siblings in the lists that may have lost it; of none where a list,
    /// or its objects, cannot be read, so that nothing is told of it.
    func run(_ orphans: inout [ConfirmedOrphan]) async throws {
        // Whether it may be a lost update goes by the upload window; of the clocks' difference only
        // the bound counts, by which times are believed.
        let race = job.objectRace(clock: .zero)
        let times = BelievableTimes(now: job.judgedNow, race: race)
        var seen: [OwnerName: [ListedSibling]] = [:]
        job.progress.begin("looking at lists", .confirm, of: orphans.count)
        defer { job.progress.end() }
        for number in orphans.indices {
            defer { job.progress.advance(1) }
            let candidate = orphans[number].candidate
            for (place, owner) in orphans[number].answer.owners.enumerated() {
                let mapping = job.models[owner.name.model].mapping
                guard mapping.files[owner.name.field].isList, let record = owner.record,
                    !record.isTombstone, record.keys[owner.name.field] > 0,
                    LostUpdateRule.isPossible(
                        candidate.object.version, changed: times.moment(of: record.changed),
                        setBy: mapping.changedBy, race: race)
                else { continue }
                if seen[owner.name] == nil {
                    try job.interruption.check()
                    seen[owner.name] = await look(at: record, owner.name, bucket: candidate.bucket)
                }
                orphans[number].answer.owners[place].siblings = seen[owner.name] ?? []
            }
        }
    }

    private func look(
        at owner: ConfirmScan.OwnerRecord, _ name: OwnerName, bucket: Int
    ) async -> [ListedSibling] {
        let model = job.models[name.model]
        let mapping = model.mapping
        guard job.buckets[bucket].isLive, let source = job.source(model.source), source.isLive,
            let reader = RecordReader(mapping: mapping, columns: mapping.columns),
            // A list that cannot be read tells nothing: the cause is then what the count tells.
            let rows = try? await source.rows(
                table: mapping.table, idColumns: mapping.id, id: owner.id,
                columns: mapping.columns)
        else { return [] }
        let field = mapping.files[name.field]
        var found: [ListedSibling] = []
        for reading in rows.compactMap(reader.read) where reading.changed == owner.changed {
            let places = reading.references.filter { $0.field == name.field }
                .map { job.meaning.places(of: $0, in: field, identity: reading.identity) }
                .filter { $0.bucket == bucket }
            for place in places.suffix(LostUpdateRule.siblingLimit) {
                // When a multipart object became visible is not known of what is no candidate.
                guard let key = place.onlyKey,
                    case .present(let version) = await job.buckets[bucket].head(key),
                    !version.isMultipart
                else { continue }
                found.append(ListedSibling(key: key, birth: version.lastModified))
            }
        }
        return found
    }
}
