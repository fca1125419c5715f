import MooringDecisions
import MooringModel

@testable import MooringReconcile

/// A join in which fingerprints settle nothing, and no row is read in place: every reference is
/// joined by its whole key, of rows as values of their own.
struct ExactJoin {
    private(set) var join: Reconciler
    private(set) var forms: FieldForms
    private(set) var orphans: [OrphanCandidate] = []
    private(set) var withoutID = 0

    /// The join of an app's rows and objects.
    init(
        _ world: World, _ batches: [RecordBatch],
        _ objects: [(bucket: Int, object: ListedObject)]
    ) {
        join = Reconciler(models: world.models, buckets: world.buckets, resolver: world.resolver)
        forms = FieldForms(world.models)
        for batch in batches {
            each(of: batch, world) { exact, reading, model, row in
                guard let reading else { return exact.withoutID += 1 }
                exact.join.note(reading, model)
                exact.forms.add(reading, model: model, row: row, columns: batch.columns)
            }
        }
        for (bucket, object) in objects { list(object, bucket) }
        for batch in batches {
            each(of: batch, world) { exact, reading, model, _ in
                if let reading { exact.join.link(reading, model) }
            }
        }
        _ = join.endReplay()
    }

    /// Every place at which a referenced object was listed, as it is shown.
    var present: [WantedKey] {
        join.states.indices.filter { join.states[$0].isPresent }.map { slot in
            let (bucket, pattern) = join.place(of: slot)
            return WantedKey(bucket: bucket, key: pattern.shown)
        }
    }

    /// The references that miss their objects.
    var dangling: [DanglingCandidate] {
        var found: [DanglingCandidate] = []
        join.dangling { found.append($0) }
        return found
    }

    private mutating func each(
        of batch: RecordBatch, _ world: World,
        _ body: (inout ExactJoin, RecordReading?, Int, [FieldValue]) -> Void
    ) {
        let readers = world.models.indices.compactMap { model in
            let mapping = world.models[model].mapping
            return mapping.table == batch.table
                ? RecordReader(mapping: mapping, columns: batch.columns).map { (model, $0) } : nil
        }
        for row in batch.rows {
            for (model, reader) in readers { body(&self, reader.read(row), model, row) }
        }
    }

    // Keeps every object that records reference, with all references to it.
    private mutating func list(_ object: ListedObject, _ bucket: Int) {
        let (kept, repeated) = (join.fingerprints.kept.count, join.repeatedObjects)
        let found = join.match([object], bucket: bucket)
        orphans += found
        guard found.isEmpty, join.repeatedObjects == repeated else { return }
        if join.fingerprints.kept.count == kept { join.keep(object, bucket: bucket) }
        let fingerprints = join.fingerprints
        object.key.bytes.withUnsafeBufferPointer { key in
            fingerprints.places(of: key, bucket: bucket) { place in
                _ = join.fingerprints.table.mark(place, .kept)
            }
        }
    }
}
