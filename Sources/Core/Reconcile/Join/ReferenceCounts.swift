package import MooringDecisions
package import MooringModel
import MooringText

/// How many references each file field of each model holds, counted while records are read.
package struct ReferenceCounts: Hashable, Sendable {
    /// What was counted of one file field.
    package struct Field: Hashable, Sendable {
        /// References, those of tombstones too.
        package var references = 0
        /// References of records that are no tombstones.
        package var live = 0
        /// Records that hold one and are no tombstones.
        package var held = 0
        /// Of the live references, those whose object was listed.
        package var listed = 0

        /// Counts a reference, of a tombstone or not; it may be its record's first here.
        mutating func add(isLive: Bool, isFirst: Bool) {
            references += 1
            guard isLive else { return }
            live += 1
            if isFirst { held += 1 }
        }

        /// Adds what was counted elsewhere.
        mutating func add(_ other: Field) {
            references += other.references
            live += other.live
            held += other.held
            listed += other.listed
        }
    }

    /// What was counted of one model.
    package struct Model: Hashable, Sendable {
        /// Records, tombstones left out.
        package var records = 0
        /// The newest change of any of them; nil where none tells.
        package var newestChange: Instant?
        /// Its `files`, in their order.
        package var fields: [Field]
    }

    /// The models, over all sources.
    package private(set) var models: [Model]

    /// Counts of nothing yet.
    package init(_ models: [SourceModel]) {
        self.models = models.map { source in
            Model(fields: source.mapping.files.map { _ in Field() })
        }
    }

    /// Counts one record and its references; of a tombstone, the references alone.
    package mutating func add(_ reading: RecordReading, model: Int) {
        if !reading.isTombstone {
            models[model].records += 1
            if let changed = reading.changed?.written {
                models[model].newestChange =
                    models[model].newestChange.map { max($0, changed) }
                    ?? changed
            }
        }
        var last = -1
        // The references of one field stand side by side.
        for reference in reading.references {
            models[model].fields[reference.field].add(
                isLive: !reading.isTombstone, isFirst: reference.field != last)
            last = reference.field
        }
    }

    /// Counts one plain record.
    mutating func add(plain row: borrowing PlainRow, model: Int) {
        models[model].records += 1
        if let changed = row.changedAt?.written {
            models[model].newestChange =
                models[model].newestChange.map { max($0, changed) } ?? changed
        }
        var last = -1
        for reference in row.references.elements {
            models[model].fields[reference.field].add(
                isLive: true, isFirst: reference.field != last)
            last = reference.field
        }
    }

    /// Counts what an engine left out of a model, whose objects were all listed: they are counted
    /// as such where fingerprints matched them.
    mutating func add(_ matched: MatchedRecords, model: Int) {
        models[model].records += matched.records
        models[model].newestChange =
            [models[model].newestChange, matched.newestChange].compactMap(\.self).max()
        for (field, own) in matched.fields.enumerated() {
            models[model].fields[field].references += own.references
            models[model].fields[field].live += own.references
            models[model].fields[field].held += own.held
        }
    }

    /// Adds what was counted of the same models elsewhere.
    mutating func add(_ others: ReferenceCounts) {
        for (model, other) in others.models.enumerated() {
            models[model].records += other.records
            models[model].newestChange =
                [models[model].newestChange, other.newestChange].compactMap(\.self).max()
            for (field, counted) in other.fields.enumerated() {
                models[model].fields[field].add(counted)
            }
        }
    }

    /// Notes that the objects of so many live references were listed.
    mutating func list(_ count: Int = 1, model: Int, field: Int) {
        models[model].fields[field].listed += count
    }
}

/// How many references mean a bucket, tombstones left out, and how many of their objects are there.
package struct BucketReferences: Hashable, Sendable {
    /// References that mean the bucket, those matched by fingerprints among them.
    package var references = 0
    /// Those whose object was listed.
    package var listed = 0
}

extension Reconciler {
    /// The counts of fields and buckets, after all listings.
    package func referenceCounts() -> (fields: ReferenceCounts, buckets: [BucketReferences]) {
        var fields = counts
        var buckets = Array(repeating: BucketReferences(), count: bucketCount)
        for (bucket, count) in fingerprints.matched.byBucket.enumerated() {
            buckets[bucket].references += count
            buckets[bucket].listed += count
        }
        for (model, listed) in fingerprints.matched.listed.enumerated() {
            for (field, count) in listed.enumerated() {
                fields.list(count, model: model, field: field)
            }
        }
        eachLive { group, record, isPresent in
            guard let first = group.first else { return }
            let bucket = self.bucket(of: Int(first.slot))
            buckets[bucket].references += 1
            guard isPresent else { return }
            buckets[bucket].listed += 1
            fields.list(model: Int(record.model), field: Int(first.field))
        }
        return (fields, buckets)
    }
}
