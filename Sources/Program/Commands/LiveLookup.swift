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

    // Enough for a person to read.
    private static let most = 50

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
    func object(_ key: ObjectKey, bucket number: Int) async throws -> Answer {
        var answer = Answer()
        let bucket = job.buckets[number]
        if bucket.isLive {
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
        let search = try await ReferenceSearch(job: job).run(key, bucket: number)
        answer.references = search.places
        for place in search.foreign.prefix(Self.most) {
            answer.sentences.append(
                "\(name(of: place)) names a bucket that is not configured, and may mean this one")
        }
        for text in search.texts.prefix(Self.most) {
            let how = text.isEnd ? "the end of its key" : "its key"
            answer.sentences.append(
                "\(how) stands in \(text.place.field ?? "") of \(name(of: text.place)): that "
                    + "protects it")
        }
        if search.standsInside {
            answer.sentences.append(
                "its key stands inside what a mapped field holds: that protects it")
        }
        for unread in search.unread {
            answer.sentences.append(
                "\(unread.source) was not read to its end: \(unread.problem.text)")
        }
        if search.isEmpty {
            answer.sentences.append(
                "no mapped field references it"
                    + (search.unread.isEmpty ? "" : ", as far as was read"))
        }
        return answer
    }

    private func name(of place: RecordPlace) -> String {
        place.identity.model + "/" + VisibleText.ascii(place.identity.id.joined, width: 80)
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
        let bucket = job.bucketName(of: reference, field: field).flatMap(job.bucket)
        if bucket == nil {
            answer.sentences.append("\(field.field) names a bucket that is not configured")
        }
        let patterns = job.resolver.patterns(
            value: reference.value, level: field.level, identity: reading.identity)
        for pattern in patterns {
            var text = "\(field.field) means " + VisibleText.ascii(pattern.shown.bytes)
            if let bucket, case .exact(let key) = pattern {
                let head = await bucket.head(key)
                text += ": " + head.sentence
            }
            answer.sentences.append(text)
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
