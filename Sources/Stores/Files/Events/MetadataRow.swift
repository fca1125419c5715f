import MooringModel

/// Rows of the journal table of S3 Metadata, as a query's result in CSV has them.
struct MetadataRow {
    private let columns: [[UInt8]: Int]

    /// The columns that a header has to name.
    static let needed = ["bucket", "key", "record_type", "record_timestamp"]

    /// The rows under a header; nil where it is that of another table.
    init?(header names: [[UInt8]]) {
        columns = Dictionary(
            names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { $1 })
        guard Self.needed.allSatisfy({ columns[Array($0.utf8)] != nil }) else { return nil }
    }

    /// A row's event; nil where it is none.
    func event(_ fields: [[UInt8]]) -> LoggedEvent? {
        func bytes(_ name: String) -> [UInt8]? {
            guard let place = columns[Array(name.utf8)], place < fields.count,
                !fields[place].isEmpty
            else { return nil }
            return fields[place]
        }
        func text(_ name: String) -> String? {
            bytes(name).map { String(decoding: $0, as: UTF8.self) }
        }
        guard let bucket = text("bucket"), let key = bytes("key"), let act = text("record_type"),
            let (time, precision) = text("record_timestamp").flatMap({ EventText.time($0) })
        else { return nil }
        let (actor, known) = EventActor.requester(text("requester"))
        var event = LoggedEvent(
            time: time, precision: precision, source: .metadata, act: act,
            subject: .object(bucket: bucket, key: key), version: text("version_id"),
            requestID: text("request_id"), actor: actor, actorPrecision: known)
        event.address = text("source_ip_address")
        if text("is_delete_marker") == "true" { event.remark = "a delete marker" }
        return event
    }
}
