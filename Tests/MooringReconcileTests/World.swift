import MooringDecisions
import MooringModel
import SeededNumbers

@testable import MooringReconcile

/// A few models and buckets, and short ways to put records and objects into them.
struct World {
    var models: [SourceModel]
    var buckets: [BucketMapping]
    var resolver: KeyResolver
    /// What the join may hold in memory.
    var room = JoinRoom.unbounded

    /// One bucket `media`, unless others are given.
    init(_ models: [ModelMapping], buckets: [String] = ["media"]) {
        self.models = models.map { SourceModel(source: "app", mapping: $0) }
        resolver = KeyResolver(levels: AccessLevel.amplify, fields: models.flatMap(\.files))
        self.buckets = buckets.map { BucketMapping(name: $0) }
    }

    /// Rows of one table as a batch.
    static func batch(_ table: String, _ rows: [[String: FieldValue]]) -> RecordBatch {
        let columns = Set(rows.flatMap(\.keys)).sorted()
        return RecordBatch(
            table: table, columns: columns,
            rows: rows.map { row in columns.map { row[$0] ?? .absent } })
    }

    /// A join over these batches and keys, by bucket.
    func join(
        _ batches: [RecordBatch], _ keys: [(Int, String)]
    ) -> (reconciler: Reconciler, orphans: [OrphanCandidate], dangling: [DanglingCandidate]) {
        join(batches, objects: keys.map { ($0.0, Self.object($0.1)) })
    }

    /// The same with objects.
    func join(
        _ batches: [RecordBatch], objects: [(Int, ListedObject)]
    ) -> (reconciler: Reconciler, orphans: [OrphanCandidate], dangling: [DanglingCandidate]) {
        var reconciler = Reconciler(
            models: models, buckets: buckets, resolver: resolver, room: room)
        var forms = FieldForms(models)
        for batch in batches { _ = reconciler.read(batch, source: "app", forms: &forms) }
        reconciler.beginListing()
        var orphans: [OrphanCandidate] = []
        for (bucket, object) in objects {
            orphans += reconciler.match([object], bucket: bucket)
        }
        reconciler.beginReplay()
        for batch in batches { reconciler.replay(batch, source: "app") }
        _ = reconciler.endReplay()
        var dangling: [DanglingCandidate] = []
        reconciler.dangling { dangling.append($0) }
        return (reconciler, orphans, dangling)
    }

    /// Pass B over batches, for wanted keys and dangling references.
    func confirm(
        _ batches: [RecordBatch], wanted: [(Int, String)], dangling: [DanglingCandidate] = [],
        known: Reconciler? = nil
    ) -> ConfirmScan {
        var scan = ConfirmScan(
            models: models, buckets: buckets, resolver: resolver,
            wanted: wanted.map { WantedKey(bucket: $0.0, key: ObjectKey($0.1)) },
            dangling: dangling, known: known)
        for batch in batches { scan.read(batch, source: "app", searchesText: true) }
        return scan
    }

    static func object(_ key: String, size: Int64 = 1) -> ListedObject {
        ListedObject(
            key: ObjectKey(key),
            version: ObjectVersion(size: size, etag: "e", lastModified: Instant(seconds: 1)))
    }
}

extension JoinRoom {
    /// As much as there is, or so little that nearly everything lies in a scratch file.
    static func drawn(_ generator: inout SeededGenerator) -> JoinRoom {
        generator.one(of: [
            .unbounded, JoinRoom(places: 1, folder: "/tmp"), JoinRoom(places: 7, folder: "/tmp"),
            JoinRoom(places: 40, folder: "/tmp"),
        ])
    }
}

extension ConfirmScan {
    /// The wanted keys that something holds, mapped or not, or may mean.
    var protected: Set<Int> { referenced.union(unmapped.map(\.wanted)).union(claimed) }

    /// The wanted keys that a missing reference may mean.
    var claimed: Set<Int> { Set(wanted.indices.filter { claim(on: $0) != nil }) }
}

extension FieldValue: ExpressibleByStringLiteral {
    /// The text of a literal.
    public init(stringLiteral value: String) { self = .text(Array(value.utf8)) }
}
