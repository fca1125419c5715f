import MooringConfiguration
import MooringDecisions
import MooringModel
import MooringPipeline
import MooringReconcile
import MooringReporting

/// Reads what the stores hold now about one object or one record.
struct LiveLookup {
    /// What was read.
    struct Answer {
        /// One sentence for each fact.
        var sentences: [String] = []
        /// The places that reference the object.
        var references: [RecordPlace] = []
    }

    /// The stores that are read.
    let job: Job

    /// The records that `MODEL/ID` may name, one for each source with such a model; nil when no
    /// model has the name, so that the text is a key.
    func records(named text: String) -> [RecordIdentity]? {
        guard let slash = text.firstIndex(of: "/") else { return nil }
        let model = String(text[..<slash])
        let id = Array(text[text.index(after: slash)...].utf8)
        let models = job.models.filter { $0.mapping.model == model }
        guard !models.isEmpty else { return nil }
        return models.map { found in
            let parts =
                found.mapping.id.count == 1
                ? [id]
                : id.split(
                    separator: UInt8(ascii: "/"), maxSplits: found.mapping.id.count - 1,
                    omittingEmptySubsequences: false
                ).map(Array.init)
            return RecordIdentity(
                source: found.source, model: model, id: RecordID(parts: parts))
        }
    }

    /// An object: whether it is there, and every record that references it.
    func object(_ key: ObjectKey, bucket name: String) async throws -> Answer {
        var answer = Answer()
        if let bucket = job.bucket(name), bucket.isLive {
            answer.sentences.append(await bucket.head(key).sentence)
            _ = try await bucket.listQuarantine { batch in
                try job.interruption.check()
                for object in batch where object.key == key {
                    answer.sentences.append(
                        "an object of this key lies in quarantine since run "
                            + object.run.text)
                }
            }
        }
        for reading in job.resolver.readings(of: key) where reading.level != nil {
            let identity = reading.identity.map { " of " + VisibleText.ascii($0) } ?? ""
            answer.sentences.append(
                "under level \(reading.level ?? "")\(identity), a record would hold "
                    + VisibleText.ascii(reading.relative))
        }
        for source in job.records {
            try await findReferences(key, bucket: name, in: source, &answer)
        }
        if answer.references.isEmpty {
            answer.sentences.append("no mapped field references it")
        }
        return answer
    }

    /// A record: whether it is there, and what each of its references means.
    func record(_ identity: RecordIdentity) async throws -> Answer {
        var answer = Answer()
        guard let source = job.source(identity.source), let mapping = job.mapping(identity),
            let reader = RecordReader(mapping: mapping, columns: mapping.columns)
        else { return answer }
        guard source.isLive else {
            answer.sentences.append("\(source.name) is a copy and cannot be asked for one record")
            return answer
        }
        let rows = try await source.rows(
            table: mapping.table, idColumns: mapping.id, id: identity.id,
            columns: mapping.columns)
        if rows.isEmpty { answer.sentences.append("there is no such record") }
        for reading in rows.compactMap(reader.read) {
            let version = reading.version.map { ", version \($0)" } ?? ""
            let changed = reading.changed.map { ", changed \($0.written.iso8601)" } ?? ""
            answer.sentences.append(
                (reading.isTombstone ? "it is marked as deleted" : "it is there") + version
                    + changed)
            for reference in reading.references {
                await describe(reference, reading, mapping, &answer)
            }
            for value in reading.unusable {
                answer.sentences.append(
                    "\(mapping.files[value.field].field) is no usable key: \(value.reason)")
            }
        }
        return answer
    }

    private func describe(
        _ reference: StoredReference, _ reading: RecordReading, _ mapping: ModelMapping,
        _ answer: inout Answer
    ) async {
        let field = mapping.files[reference.field]
        let name =
            reference.bucket.map { String(decoding: $0, as: UTF8.self) } ?? field.bucket
            ?? job.buckets.first?.name ?? ""
        let patterns = job.resolver.patterns(
            value: reference.value, level: field.level, identity: reading.identity)
        for pattern in patterns {
            var text = "\(field.field) means " + VisibleText.ascii(pattern.shown.bytes)
            if let bucket = job.bucket(name), case .exact(let key) = pattern {
                let head = await bucket.head(key)
                text += ": " + head.sentence
            }
            answer.sentences.append(text)
        }
    }

    private func findReferences(
        _ key: ObjectKey, bucket: String, in source: any RecordSource, _ answer: inout Answer
    ) async throws {
        let models = job.models.filter { $0.source == source.name }
        let columns = models.map {
            TableColumns(table: $0.mapping.table, columns: $0.mapping.columns)
        }
        var found: [RecordPlace] = []
        let result = try await source.scan(.columns(columns)) { batch in
            try job.interruption.check()
            for model in models where model.mapping.table == batch.table {
                guard
                    let reader = RecordReader(mapping: model.mapping, columns: batch.columns)
                else { continue }
                for reading in batch.rows.compactMap(reader.read) {
                    found += places(reading, model.mapping, source.name, key, bucket)
                }
            }
        }
        var seen: Set<RecordPlace> = []
        answer.references += found.filter { seen.insert($0).inserted }
        for problem in result.problems.prefix(3) {
            answer.sentences.append("\(source.name) was not read to its end: \(problem.text)")
        }
    }

    /// Where a record references an object.
    func places(
        _ reading: RecordReading, _ mapping: ModelMapping, _ source: String, _ key: ObjectKey,
        _ bucket: String
    ) -> [RecordPlace] {
        reading.references.compactMap { reference in
            let field = mapping.files[reference.field]
            if let name = reference.bucket, !name.elementsEqual(bucket.utf8) { return nil }
            if let name = field.bucket, name != bucket { return nil }
            let fits = job.resolver.patterns(
                value: reference.value, level: field.level, identity: reading.identity
            ).contains { $0.matches(key) }
            guard fits else { return nil }
            return RecordPlace(
                identity: RecordIdentity(source: source, model: mapping.model, id: reading.id),
                field: field.field, index: reference.index, version: reading.version)
        }
    }
}

extension HeadAnswer {
    /// What a look found, as one sentence.
    var sentence: String {
        switch self {
        case .present(let version):
            "there, \(Measure.bytes(version.size)), last modified \(version.lastModified.iso8601)"
        case .absent: "no such object"
        case .unknown(let reason): "not known: \(reason)"
        }
    }
}
