import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks at the objects that stand in the lists of possible owners, where an orphan may have been
/// lost from such a list by two appends at once.
struct SiblingLook {
    /// The stores.
    let job: Job

    /// The siblings in each list that may have lost an orphan; empty where the list or its objects
    /// cannot be read, so that nothing is told of it.
    func run(
        _ orphans: [OrphanCandidate], _ scan: ConfirmScan
    ) async throws -> [OwnerName: [ListedSibling]] {
        let race = job.objectRace()
        let times = BelievableTimes(now: job.asOf ?? job.clock(), race: race)
        var siblings: [OwnerName: [ListedSibling]] = [:]
        job.progress.begin("looking at lists")
        defer { job.progress.end() }
        for (number, orphan) in orphans.enumerated() where !scan.referenced.contains(number) {
            for name in scan.possibleOwners(of: number) where siblings[name] == nil {
                let mapping = job.models[name.model].mapping
                guard mapping.files[name.field].isList, let owner = scan.owner(name),
                    !owner.isTombstone, owner.keys[name.field] > 0,
                    LostUpdateRule.isPossible(
                        orphan.object.version, changed: times.moment(of: owner.changed),
                        setBy: mapping.changedBy, race: race)
                else { continue }
                try job.interruption.check()
                siblings[name] = await look(at: owner, name, bucket: orphan.bucket)
                job.progress.advance(1)
            }
        }
        return siblings
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
            let keys = reading.references.filter {
                $0.field == name.field
                    && job.bucketName(of: $0, field: field) == job.buckets[bucket].name
            }
            for reference in keys.suffix(LostUpdateRule.siblingLimit) {
                let patterns = job.resolver.patterns(
                    value: reference.value, level: field.level, identity: reading.identity)
                // When a multipart object became visible is not known of what is no candidate.
                guard patterns.count == 1, case .exact(let key) = patterns[0],
                    case .present(let version) = await job.buckets[bucket].head(key),
                    !version.isMultipart
                else { continue }
                found.append(ListedSibling(key: key, birth: version.lastModified))
            }
        }
        return found
    }
}
