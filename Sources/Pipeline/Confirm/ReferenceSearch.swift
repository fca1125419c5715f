import MooringConfiguration
package import MooringDecisions
package import MooringModel
package import MooringReconcile

/// Finds what every record says of one object now, by the rules of an audit: its references, and
/// the texts in which the confirm scan meets its key. Changes nothing.
package struct ReferenceSearch: Sendable {
    /// What the records say.
    package struct Answer: Sendable {
        /// The places of the references, each once.
        package var places: [RecordPlace] = []
        /// Those among them that name a bucket which nobody configured.
        package var foreign: [RecordPlace] = []
        /// Where the key stands beside the references; each attribute once.
        package var texts: [ConfirmScan.UnmappedMatch] = []
        /// Whether the key stands inside what a mapped field holds, where no object lies at what
        /// that means by itself.
        package var standsInside = false
        /// What was not read, by source; at most three problems of each.
        package var unread: [(source: String, problem: ScanProblem)] = []

        /// Whether nothing keeps the object, as far as the records were read.
        package var isEmpty: Bool { places.isEmpty && texts.isEmpty && !standsInside }
    }

    /// The stores.
    let job: Job

    /// A search in a job's stores.
    package init(job: Job) {
        self.job = job
    }

    /// Reads every source to its end; texts only where the configuration lets a confirm scan run.
    /// Throws what the sources throw.
    package func run(_ key: ObjectKey, bucket: Int) async throws -> Answer {
        var answer = Answer()
        var scan = ConfirmScan(
            models: job.models, buckets: job.bucketMappings, resolver: job.resolver,
            wanted: [WantedKey(bucket: bucket, key: key)], dangling: [])
        var seen: Set<RecordPlace> = []
        let everything = job.configuration.confirm != .never
        for source in job.records {
            let models = job.models.filter { $0.source == source.name }
            var met: [String: Set<String>] = [:]
            var (problems, _) = try await PassB.read(
                source, everything: everything, job: job, into: &scan
            ) { batch in
                met[batch.table, default: []].formUnion(batch.columns)
                for model in models where model.mapping.table == batch.table {
                    guard
                        let reader = RecordReader(mapping: model.mapping, columns: batch.columns)
                    else { continue }
                    for reading in batch.rows.compactMap(reader.read) {
                        for found in places(of: key, bucket: bucket, in: reading, of: model)
                        where seen.insert(found.place).inserted {
                            answer.places.append(found.place)
                            if found.isForeign { answer.foreign.append(found.place) }
                        }
                    }
                }
            }
            let unmet = models.map(\.mapping).filter {
                !met[$0.table, default: []].isSuperset(of: $0.columns)
            }
            if everything {
                problems += try await missing(unmet, besides: Set(met.keys), source)
            }
            answer.unread += problems.prefix(3).map { (source.name, $0) }
        }
        answer.texts = scan.unmapped.sorted { $0.place.precedes($1.place) }
        answer.standsInside = try await !InsideLook(job: job).holding(scan.inside).isEmpty
        return answer
    }

    // Whoever reads all that is there does not notice a mapped table or column that is not: what
    // was not met is asked for by its name. An empty table has no rows then either.
    private func missing(
        _ mappings: [ModelMapping], besides met: Set<String>, _ source: any RecordSource
    ) async throws -> [ScanProblem] {
        guard !mappings.isEmpty else { return [] }
        var appeared: Set<String> = []
        let result = try await source.scan(.columns(ScanStage.columns(of: mappings))) { batch in
            try job.interruption.check()
            if batch.count > 0, !met.contains(batch.table) { appeared.insert(batch.table) }
        }
        let problems = result.isComplete ? [] : result.problems
        return problems
            + appeared.sorted().map {
                ScanProblem(
                    place: "\(source.name), table \($0.debugDescription)",
                    reason: "was not there at first, and is now: it was not searched")
            }
    }

    /// Where a record references an object, and whether it names a bucket there that nobody
    /// configured.
    package func places(
        of key: ObjectKey, bucket: Int, in reading: RecordReading, of model: SourceModel
    ) -> [(place: RecordPlace, isForeign: Bool)] {
        let (mapping, meaning) = (model.mapping, job.meaning)
        return reading.references.compactMap { reference in
            let field = mapping.files[reference.field]
            let mayMean = meaning.mayMean(
                key, in: bucket, by: reference, in: field, identity: reading.identity)
            guard mayMean else { return nil }
            let place = RecordPlace(
                identity: RecordIdentity(
                    source: model.source, model: mapping.model, id: reading.id),
                field: field.field, index: reference.index, version: reading.version)
            let meant = meaning.places(of: reference, in: field, identity: reading.identity)
            return (place, meant.bucket == nil)
        }
    }
}
