package import MooringDecisions
package import MooringModel
import MooringReconcile

/// Reads what the stores hold now about one object or one record. Changes nothing.
package struct SubjectLook: Sendable {
    /// What is known of an object now.
    package struct Object: Sendable {
        /// What lies at its key; nil where its bucket cannot be asked.
        package var head: HeadAnswer?
        /// What lies in quarantine of its key.
        package var held: [QuarantinedObject] = []
        /// Why the quarantine was not listed to its end; at most three problems.
        package var unlisted: [ScanProblem] = []
        /// The newest versions and delete markers that its bucket keeps of it; nil where it keeps
        /// none, or did not tell.
        package var versions: KeptVersions?
        /// Why these could not be read; nil where they could, or there are none.
        package var versionDoubt: String?
        /// The levels and layouts by which its key may be read, with what a record would hold.
        package var readings: [KeyReading]
        /// What every record says of it.
        package var search: ReferenceSearch.Answer

        /// Whether it lies in quarantine, a version of it is kept, or a record references or names
        /// it.
        package var isHeldOrNamed: Bool {
            !held.isEmpty || versions?.newest.isEmpty == false || !search.isEmpty
                || !search.foreign.isEmpty
        }

        /// Whether a source, the quarantine or the versions were not read to their end.
        package var isIncomplete: Bool {
            !unlisted.isEmpty || versionDoubt != nil || !search.unread.isEmpty
        }
    }

    /// What is known of a record now.
    package enum Record: Sendable {
        /// No configured model of its source has its name.
        case unmapped
        /// Its source is a copy of this name, which cannot be asked for one record.
        case copied(String)
        /// The rows that are the record, none where there is none.
        case rows([Row])
    }

    /// A row of a record.
    package struct Row: Sendable {
        /// The row as the mapping reads it.
        package let reading: RecordReading
        /// The mapping's fields, to which the reading's numbers lead.
        package let fields: [FileField]
        /// Its references, with what lies where each leads.
        package let references: [Reference]
    }

    /// A reference, and what lies where it leads.
    package struct Reference: Sendable {
        /// The field's name in the configuration.
        package let field: String
        /// Whether it names a bucket that is configured.
        package let isBucketKnown: Bool
        /// The places of its object; a look at each of which the key is known.
        package let places: [(pattern: KeyPattern, head: HeadAnswer?)]
    }

    /// The stores.
    package let job: Job

    /// A look into a job's stores.
    package init(job: Job) {
        self.job = job
    }

    /// The records that `MODEL/ID` may name, one for each source with such a model; nil when no
    /// model has the name, so that the text is a key.
    package func records(named text: String) -> [RecordIdentity]? {
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let model = String(text[..<slash])
        let id = Array(text[text.index(after: slash)...].utf8)
        let models = job.models.filter { $0.mapping.model == model }
        guard !models.isEmpty else { return nil }
        return models.map { found in
            RecordIdentity(
                source: found.source, model: model,
                id: RecordID(joined: id, parts: found.mapping.id.count))
        }
    }

    /// An object: whether it is there, and every record that references it.
    package func object(_ key: ObjectKey, bucket number: Int) async throws -> Object {
        let bucket = job.buckets[number]
        var (head, held): (HeadAnswer?, [QuarantinedObject]) = (nil, [])
        var unlisted: [ScanProblem] = []
        var kept: Kept = (nil, nil)
        if bucket.answersLooks { head = await bucket.head(key) }
        if bucket.isLive {
            let listing = try await bucket.listQuarantine { batch in
                try job.interruption.check()
                held += batch.filter { $0.key == key }
            }
            if !listing.isComplete { unlisted = Array(listing.problems.prefix(3)) }
            kept = try await versions(of: key, in: bucket)
        }
        return Object(
            head: head, held: held, unlisted: unlisted, versions: kept.versions,
            versionDoubt: kept.doubt,
            readings: job.resolver.readings(of: key).filter {
                $0.level != nil || !$0.stored.isPlain
            },
            search: try await ReferenceSearch(job: job).run(key, bucket: number))
    }

    // Enough for a person to read; the newest are of use.
    private static let mostVersions = 100

    private typealias Kept = (versions: KeptVersions?, doubt: String?)

    private func versions(of key: ObjectKey, in bucket: any Bucket) async throws -> Kept {
        guard let reader = bucket.versions else { return (nil, nil) }
        do {
            return (try await reader.versions(of: key, most: Self.mostVersions), nil)
        } catch let error as StoreError {
            return (nil, "\(error)")
        }
    }

    /// A record: whether it is there, and what each of its references means.
    package func record(_ identity: RecordIdentity) async throws -> Record {
        guard let source = job.source(identity.source), let mapping = job.mapping(identity),
            let reader = RecordReader(mapping: mapping, columns: mapping.columns)
        else { return .unmapped }
        guard source.isLive else { return .copied(source.name) }
        let rows = try await source.rows(
            table: mapping.table, idColumns: mapping.id, id: identity.id,
            columns: mapping.columns)
        var found: [Row] = []
        for reading in rows.compactMap(reader.read) {
            var references: [Reference] = []
            for reference in reading.references {
                let field = mapping.files[reference.field]
                references.append(await look(at: reference, field, reading.identity))
            }
            found.append(Row(reading: reading, fields: mapping.files, references: references))
        }
        return .rows(found)
    }

    private func look(
        at reference: StoredReference, _ field: FileField, _ identity: [UInt8]?
    ) async -> Reference {
        let meant = job.meaning.places(of: reference, in: field, identity: identity)
        var places: [(pattern: KeyPattern, head: HeadAnswer?)] = []
        for pattern in meant.patterns {
            var head: HeadAnswer?
            if let bucket = meant.bucket, case .exact(let key) = pattern {
                head = await job.buckets[bucket].head(key)
            }
            places.append((pattern, head))
        }
        return Reference(field: field.field, isBucketKnown: meant.bucket != nil, places: places)
    }
}
