import MooringDecisions
import MooringModel
import MooringPipeline
import MooringReconcile
import MooringReporting

/// What sources tell of earlier states of their records: when which of them lost a reference.
struct HistoryLookup {
    /// The stores that are read.
    let job: Job

    // Enough for a person to read; the newest are of use.
    private static let most = 50

    /// What was found.
    struct Losses {
        /// The losses, the oldest first.
        let events: [Timeline.Event]
        /// A sentence for each history that cannot be read to its end.
        let unread: [String]
        /// Whether each history was read to its end.
        var isComplete: Bool { unread.isEmpty }
    }

    /// When which record lost a reference to an object.
    func losses(of key: ObjectKey, bucket: Int) async throws -> Losses {
        try await losses { model, before in
            ReferenceSearch(job: job).places(of: key, bucket: bucket, in: before, of: model)
                .map { found in
                    let field = found.place.field ?? ""
                    let id = VisibleText.ascii(found.place.identity.id.joined)
                    let text = "record \(model.mapping.model)/\(id) lost its reference in \(field)"
                    return (field, before.value(at: found.place, model.mapping), text)
                }
        }
    }

    /// When a record lost which references.
    func losses(from record: RecordIdentity) async throws -> Losses {
        try await losses { model, before in
            guard
                RecordIdentity(
                    source: model.source, model: model.mapping.model, id: before.id) == record
            else { return [] }
            return before.references.map { reference in
                let field = model.mapping.files[reference.field].field
                let value = VisibleText.ascii(reference.value)
                return (field, reference.value, "\(field) lost \(value)")
            }
        }
    }

    // A reference is lost where the record held it before a change, and not after it.
    private func losses(
        _ held: (SourceModel, RecordReading) -> [(field: String, value: [UInt8], text: String)]
    ) async throws -> Losses {
        var losses: [Timeline.Event] = []
        var unread: [String] = []
        for source in job.records {
            guard let history = source as? any RecordHistory else { continue }
            let models = job.models.filter { $0.source == source.name }
            let problems: [ScanProblem]
            do {
                problems = try await history.changes { change in
                    try job.interruption.check()
                    for model in models where model.mapping.table == change.table {
                        losses += self.losses(change, model, held)
                    }
                }
            } catch let error as StoreError {
                unread.append("the history of \(source.name) cannot be read: \(error)")
                continue
            }
            unread += problems.prefix(3).map {
                "the history of \(source.name) was not read to its end: \($0.text)"
            }
        }
        losses.sort { $0.at < $1.at }
        return Losses(events: losses.suffix(Self.most), unread: unread)
    }

    private func losses(
        _ change: RecordedChange, _ model: SourceModel,
        _ held: (SourceModel, RecordReading) -> [(field: String, value: [UInt8], text: String)]
    ) -> [Timeline.Event] {
        guard let before = reading(change.before, model.mapping) else { return [] }
        let after = reading(change.after, model.mapping)
        return held(model, before).compactMap { reference in
            let isHeld = after?.references.contains {
                model.mapping.files[$0.field].field == reference.field
                    && $0.value == reference.value
            }
            guard isHeld != true else { return nil }
            let how = change.after == nil ? ", as it was removed" : ""
            return Timeline.Event(
                at: change.written, reference.text + how, source: model.source)
        }
    }

    private func reading(
        _ image: [String: FieldValue]?, _ mapping: ModelMapping
    ) -> RecordReading? {
        let columns = mapping.columns
        guard let image, let reader = RecordReader(mapping: mapping, columns: columns) else {
            return nil
        }
        return reader.read(columns.map { image[$0] ?? .absent })
    }
}

extension RecordReading {
    /// The value of the reference at a place of this record; empty where it holds none there.
    fileprivate func value(at place: RecordPlace, _ mapping: ModelMapping) -> [UInt8] {
        references.first {
            mapping.files[$0.field].field == place.field && $0.index == place.index
        }?.value ?? []
    }
}
