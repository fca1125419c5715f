import MooringDecisions
package import MooringModel

/// What devices' outboxes hold when pass B reads them: some hundred bytes a write, of which a
/// device keeps few.
package struct OutboxScan: Sendable {
    private struct Row: Hashable {
        let device: String
        let id: [UInt8]
    }

    private struct Target: Hashable {
        let device: String
        let model: String
        let record: [UInt8]
    }

    private let outboxes: [String: OutboxTable]
    private var rows: [Row: PendingWrite] = [:]
    private var targets: [Target: PendingWrite] = [:]

    /// A scan of the sources that have an outbox, by their names.
    package init(_ outboxes: [String: OutboxTable]) {
        self.outboxes = outboxes
    }

    /// Reads one batch of a source's rows.
    package mutating func read(_ batch: RecordBatch, source: String) {
        guard let outbox = outboxes[source], batch.table == outbox.table else { return }
        let places = outbox.columns.map { batch.columns.firstIndex(of: $0) }
        for row in batch.rows {
            let values = places.map { $0.map { row[$0] } ?? .absent }
            let write = PendingWrite(
                device: source, model: Self.text(values[1]), record: values[2].bytes ?? [],
                act: Self.text(values[3]), madeAt: ChangeTimeForm.read(values[4])?.instant)
            rows[Row(device: source, id: values[0].bytes ?? [])] = write
            targets[Target(device: source, model: write.model, record: write.record)] = write
        }
    }

    /// The write that a row of an outbox holds; nil where the place lies elsewhere.
    package func write(at place: RecordPlace) -> PendingWrite? {
        let identity = place.identity
        guard outboxes[identity.source]?.table == identity.model else { return nil }
        return rows[Row(device: identity.source, id: identity.id.joined)]
    }

    /// The write of a device's copy of a record that it has not sent yet; nil where there is none.
    package func write(of record: RecordIdentity, table: String) -> PendingWrite? {
        [record.model, table].lazy.compactMap { model in
            targets[
                Target(device: record.source, model: model, record: record.id.dataStoreText)]
        }.first
    }

    private static func text(_ value: FieldValue) -> String {
        String(decoding: value.bytes ?? [], as: UTF8.self)
    }
}
