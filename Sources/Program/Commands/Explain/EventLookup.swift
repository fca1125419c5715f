import MooringDecisions
import MooringFiles
import MooringModel
import MooringPipeline
import MooringReconcile
import MooringReporting

/// Reads files of events for what they tell of one object or record.
struct EventLookup {
    /// The files, as the user named them.
    let files: [String]
    /// The configuration, by which names in logs are understood.
    let job: Job

    /// What was found, and whether each file was read to its end. Throws where one cannot be
    /// opened.
    func events(
        about what: SubjectSearch.Named.What
    ) throws -> (found: EventCollection, isWhole: Bool) {
        var found = EventCollection(subject(what))
        var isWhole = true
        for file in files {
            let isRead = try read(file) {
                found.take($0)
            } fault: {
                found.fault($0, $1)
            }
            isWhole = isWhole && isRead
        }
        let requests = found.requests
        guard !requests.isEmpty else { return (found, isWhole) }
        // Who deleted a batch stands in one event, and what was in it in others.
        for file in files {
            _ = try read(file) {
                found.join($0, requests: requests)
            } fault: { _, _ in
            }
        }
        return (found, isWhole)
    }

    private func read(
        _ file: String, event take: @escaping (LoggedEvent) -> Void,
        fault: @escaping (_ place: String, _ reason: String) -> Void
    ) throws -> Bool {
        do {
            return try EventFile(path: file).read(
                check: job.interruption.check, event: take, fault: fault)
        } catch let failure as ReadFailure {
            throw CommandError("\(VisibleText.ascii(file)): \(failure.reason)")
        }
    }

    /// Why events about it may have been passed over; none where nothing speaks for that.
    func doubts(about what: SubjectSearch.Named.What) -> [String] {
        guard case .object(let object) = what else { return [] }
        let mapping = job.bucketMappings[object.bucket]
        guard mapping.isNameless else { return [] }
        return [
            "logs name a bucket by its own name, and bucket \(mapping.name) is configured by an "
                + "access point: events about it may have been passed over; write bucketName: "
                + "under its s3"
        ]
    }

    private func subject(_ what: SubjectSearch.Named.What) -> EventSubject {
        switch what {
        case .object(let object):
            let mapping = job.bucketMappings[object.bucket]
            let values = job.resolver.readings(of: object.key).map(\.relative)
            return EventSubject(
                object: object.key.bytes,
                buckets: Set(mapping.names),
                values: Set(values.filter { !$0.isEmpty }))
        case .record(let record):
            let tables = [record.model, job.mapping(record)?.table].compactMap { $0 }
            return EventSubject(record: record.id.parts, tables: Set(tables))
        }
    }
}
