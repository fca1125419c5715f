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
            var tables = MappedTables(source, job)
            var (problems, _) = try await PassB.read(
                source, everything: everything, job: job, into: &scan
            ) { batch in
                tables.see(batch)
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
            if everything { problems += try await tables.missing(job) }
            answer.unread += problems.prefix(3).map { (source.name, $0) }
        }
        answer.texts = scan.unmapped.sorted { $0.place.precedes($1.place) }
        answer.standsInside = try await !InsideLook(job: job).holding(scan.inside).isEmpty
        return answer
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
