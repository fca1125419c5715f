import MooringDecisions
import MooringModel
import MooringReconcile

/// Looks inside every column of a record that is to be removed for the keys of objects that are
/// there, mapped or not, as pass B finds them in texts: in lists, URLs and sentences.
struct RowTextLook {
    /// The record.
    let context: RecordContext
    /// The models that read the record's table.
    let mappings: [ModelMapping]
    /// The record as they read it.
    let readings: [RecordReading]

    // More texts of one column, or keys of one record, are not looked for: then it stays.
    private static let textLimit = 1_024
    private static let lookLimit = 2_048
    // Under the identities of others so many looks are taken.
    private static let identityLooks = 256

    /// As judged where no object is there whose key stands in the row.
    func look(_ row: [FieldValue]) async -> LookAnswer {
        let table = context.mapping.table
        let foreign = Set(
            await context.source.foreignColumns().filter { $0.table == table }.map(\.column))
        var looked: Set<WantedKey> = []
        for (column, value) in zip(context.columns, row) {
            guard let bytes = value.bytes, !namesRecord(column, bytes, foreign), !isMark(column)
            else { continue }
            let answer = await look(inside: bytes, isFile: isFile(column), &looked)
            guard answer == .asJudged else { return answer }
        }
        return .asJudged
    }

    private func isFile(_ column: String) -> Bool {
        mappings.contains { $0.files.contains { $0.column == column } }
    }

    // A version, a time, or whether the record is marked as deleted.
    private func isMark(_ column: String) -> Bool {
        !isFile(column)
            && mappings.contains { [$0.version, $0.changed, $0.deleted].contains(column) }
    }

    // A bare identifier stands for a record where identifiers of records are held.
    private func namesRecord(_ column: String, _ value: [UInt8], _ foreign: Set<String>) -> Bool {
        guard !isFile(column), NamedKeys.isIdentifier(value) else { return false }
        return foreign.contains(column)
            || mappings.contains { mapping in
                mapping.id.contains(column) || mapping.identity == column
                    || mapping.relations.contains { $0.field == column }
            }
    }

    private func look(
        inside value: [UInt8], isFile: Bool, _ looked: inout Set<WantedKey>
    ) async -> LookAnswer {
        let place = isFile ? "a field of the record" : "a column that is not mapped"
        // What the mapping reads there was looked at by itself.
        let known = isFile ? Set(readings.flatMap { $0.references.map(\.value) }) : []
        let found = NamedKeys.texts(
            in: value, atMost: Self.textLimit,
            foldsPaths: context.job.bucketMappings.contains(where: \.isFolder), besides: known)
        let keys = await keys(of: found.texts, &looked)
        guard !found.isCutOff, looked.count <= Self.lookLimit else {
            return .otherwise(
                "\(place) may name an object that is there: it holds too many texts to look for")
        }
        do {
            for (number, keys) in keys {
                let bucket = context.job.buckets[number]
                var answer = LookAnswer.asJudged
                try await OrderedWork(
                    width: bucket.concurrency, interruption: context.job.interruption
                ).run(keys) {
                    await bucket.head($0)
                } tell: { head in
                    switch head {
                    case .present: answer = .otherwise("\(place) names an object that is there")
                    case .absent, .folder: break
                    case .unknown(let reason) where answer == .asJudged:
                        answer = .otherwise(
                            "\(place) may name an object that is there: \(reason)")
                    case .unknown: break
                    }
                }
                guard answer == .asJudged else { return answer }
            }
        } catch {
            return .unknown("what its texts name could not be looked at: \(error)")
        }
        return .asJudged
    }

    // The keys that texts may mean, by bucket, under any level: of the record's own identity, and
    // of a few others that records know.
    private func keys(
        of texts: [[UInt8]], _ looked: inout Set<WantedKey>
    ) async -> [(bucket: Int, keys: [ObjectKey])] {
        let job = context.job
        var keys: [[ObjectKey]] = job.buckets.map { _ in [] }
        var count = 0
        func add(_ text: [UInt8], _ identity: [UInt8]?) {
            for case .exact(let key) in job.resolver.everyPattern(of: text, identity: identity) {
                for number in keys.indices where job.bucketMappings[number].mayHold(key) {
                    guard looked.insert(WantedKey(bucket: number, key: key)).inserted else {
                        continue
                    }
                    keys[number].append(key)
                    count += 1
                }
            }
        }
        let own = Set(readings.compactMap(\.identity))
        for text in texts {
            add(text, nil)
            for identity in own { add(text, identity) }
        }
        if !texts.isEmpty, job.resolver.levels.contains(where: { $0.tail != nil }) {
            let others = await job.identities.identities(of: job)
            let limit = min(count + Self.identityLooks, Self.lookLimit)
            for text in texts {
                for identity in others where !own.contains(identity) && count < limit {
                    add(text, identity)
                }
            }
        }
        return keys.enumerated().map { ($0.offset, $0.element) }
    }
}

extension BucketMapping {
    /// Whether an object of the bucket may have this key: it lies in no quarantine, is none of
    /// Mooring's own, and in a folder it is the path of one file.
    func mayHold(_ key: ObjectKey) -> Bool {
        guard (1...KeyRule.lengthLimit).contains(key.bytes.count), !isQuarantined(key),
            !OwnKey.contains(key), !key.bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return false }
        guard isFolder else { return true }
        return key.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .allSatisfy { part in
                (1...255).contains(part.count) && !part.elementsEqual(".".utf8)
                    && !part.elementsEqual("..".utf8)
            }
    }
}
