package import MooringDecisions
package import MooringModel

/// A relation whose parent is absent or a tombstone in both passes, before judgement.
package struct RelationCandidate: Hashable, Sendable {
    /// A parent that is there, as a tombstone.
    package struct Tombstone: Hashable, Sendable {
        /// Which of the models, over all sources.
        package let model: Int
        /// Its identifier, with its parts.
        package let id: RecordID
        /// Its last change; nil when it does not tell.
        package var changed: ChangeTime?
        /// One text for this version of the row.
        package var token: String
        /// What the marks of its rows say.
        package var marks: [DeletionMark]
    }

    /// Which of the models, over all sources, is the child's.
    package let model: Int
    /// The relation's number among the model's `relations`.
    package let relation: Int
    /// The child, its field, and its version.
    package let place: RecordPlace
    /// The identifier that the child names.
    package let value: [UInt8]
    /// The child's last change; nil when it does not tell.
    package let changed: ChangeTime?
    /// One text for this version of the child's row.
    package let token: String
    /// The models in which the parent may lie.
    package let targets: [Int]
    /// The parent; nil when no record has the identifier.
    package let tombstone: Tombstone?
    /// Why something else than a record that is gone may be meant; nil when nothing tells so.
    package let doubt: RelationDoubt?
    /// Whether pass A read any record where the parent may lie, or only a few children miss it: an
    /// empty table that many rows point to is more often a broken one than one whose records were
    /// all removed.
    package let isPeopled: Bool
}

/// Pass B of relations: the children that name a parent which pass A missed, and whether it is
/// missed still.
struct RelationConfirm: Sendable {
    private struct Child {
        let model: Int
        let relation: Int
        let id: RecordID
        let parent: Int
        let version: Int64?
        var changed: ChangeTime?
        var token: String
        var kinds: [KindColumn]
    }

    // A column that named a relation's own model in some row.
    private struct NamedKind: Hashable {
        let model: Int
        let relation: Int
        let column: String
    }

    private enum Parent {
        case absent, live
        case tombstone(RelationCandidate.Tombstone)
    }

    private let models: [SourceModel]
    private let targets: RelationTargets
    private let missing: ByteTable
    private let peopled: [Bool]
    private var parents: [Parent]
    private var children: [Child] = []
    private var places = ByteTable()
    private var near = NearOwners()
    private var kinds: Set<NamedKind> = []

    /// Pass B after a pass A that was closed.
    init(_ scan: RelationScan) {
        models = scan.models
        targets = scan.targets
        missing = scan.missing
        peopled = scan.peopled
        parents = Array(repeating: .absent, count: scan.missing.count)
        for number in 0..<missing.count {
            let (group, id) = Self.parent(missing.bytes(number))
            for target in targets.groups[group] {
                near.want(id, model: target)
                near.want(inside: id, model: target)
            }
        }
    }

    /// Reads one batch of a source's rows.
    mutating func read(_ batch: RecordBatch, source: String) {
        guard missing.count > 0 else { return }
        let readers = RelationRows.readers(batch, source: source, models, targets)
        guard !readers.isEmpty else { return }
        let columns = readers.map { kindColumns($0.model, batch.columns) }
        for row in batch.rows {
            for (number, reader) in readers.enumerated() {
                guard let reading = reader.record.read(row) else { continue }
                if !reading.isTombstone { near.read(reading.id, model: reader.model) }
                for group in targets.parents[reader.model] {
                    let key = RelationTargets.key(group, reading.id.joined)
                    guard let number = missing.number(of: key) else { continue }
                    see(
                        parent: number, reading, model: reader.model,
                        token: RowToken.of(reading, row: row, columns: batch.columns))
                }
                guard !reading.isTombstone, !targets.uses[reader.model].isEmpty else { continue }
                let values = reader.relations.values(row)
                for (place, use) in targets.uses[reader.model].enumerated() {
                    let (own, other) = columns[number][place].read(row)
                    for column in own {
                        kinds.insert(
                            NamedKind(model: reader.model, relation: use.relation, column: column))
                    }
                    guard let value = values[use.relation],
                        let number = missing.number(of: RelationTargets.key(use.group, value))
                    else { continue }
                    add(
                        Child(
                            model: reader.model, relation: use.relation, id: reading.id,
                            parent: number, version: reading.version, changed: reading.changed,
                            token: RowToken.of(reading, row: row, columns: batch.columns),
                            kinds: other))
                }
            }
        }
    }

    private func kindColumns(_ model: Int, _ columns: [String]) -> [KindColumns] {
        targets.uses[model].map { use in
            KindColumns(
                of: models[model].mapping.relations[use.relation],
                tables: targets.groups[use.group].map { models[$0].mapping.table },
                columns: columns)
        }
    }

    // So many rows that point into an empty table are no small app's.
    private static let many = 10

    // The group and the identifier of a parent.
    private static func parent(_ key: ArraySlice<UInt8>) -> (group: Int, id: [UInt8]) {
        (Int(key[key.startIndex]) << 8 | Int(key[key.startIndex + 1]), Array(key.dropFirst(2)))
    }

    /// The children whose parent is still missed.
    func candidates() -> [RelationCandidate] {
        var missed = peopled.map { _ in 0 }
        for child in children { missed[Self.parent(missing.bytes(child.parent)).group] += 1 }
        return children.compactMap { child in
            let tombstone: RelationCandidate.Tombstone?
            switch parents[child.parent] {
            case .live: return nil
            case .absent: tombstone = nil
            case .tombstone(let seen): tombstone = seen
            }
            let model = models[child.model]
            let (group, id) = Self.parent(missing.bytes(child.parent))
            return RelationCandidate(
                model: child.model, relation: child.relation,
                place: RecordPlace(
                    identity: RecordIdentity(
                        source: model.source, model: model.mapping.model, id: child.id),
                    field: model.mapping.relations[child.relation].field,
                    version: child.version),
                value: id, changed: child.changed, token: child.token,
                targets: targets.groups[group], tombstone: tombstone,
                doubt: doubt(of: child, targets.groups[group], id, isMarked: tombstone != nil),
                isPeopled: peopled[group] || missed[group] < Self.many)
        }
    }

    // A parent that is marked as deleted is one, whatever its identifier looks like; but in another
    // table another record may have the same.
    private func doubt(
        of child: Child, _ group: [Int], _ id: [UInt8], isMarked: Bool
    ) -> RelationDoubt? {
        if let alike = near.record(like: id, in: group, of: models) { return .alike(alike) }
        let kind = child.kinds.first { column in
            column.isBeside
                || kinds.contains(
                    NamedKind(model: child.model, relation: child.relation, column: column.name))
        }
        if let kind { return .kind(column: kind.name) }
        if isMarked { return nil }
        if let held = near.record(inside: id, in: group, of: models) { return .inside(held) }
        return NoParent.isSaid(by: id) ? .saysNone : nil
    }

    // Of several rows with one identifier a live one decides; tombstones are as late as the latest.
    private mutating func see(
        parent number: Int, _ reading: RecordReading, model: Int, token: @autoclosure () -> String
    ) {
        guard let mark = reading.mark else {
            parents[number] = .live
            return
        }
        let token = token()
        switch parents[number] {
        case .live: break
        case .absent:
            parents[number] = .tombstone(
                RelationCandidate.Tombstone(
                    model: model, id: reading.id, changed: reading.changed, token: token,
                    marks: [mark]))
        case .tombstone(var seen):
            seen.changed = seen.changed.flatMap { one in reading.changed.map { max(one, $0) } }
            seen.token += "+" + token
            seen.marks.append(mark)
            parents[number] = .tombstone(seen)
        }
    }

    // Two rows with one id are one record, which changed with the later of them.
    private mutating func add(_ child: Child) {
        var place = RecordIDCoding.encode(child.id, model: child.model)
        for number in [child.relation, child.parent] {
            withUnsafeBytes(of: UInt32(number).littleEndian) { place.append(contentsOf: $0) }
        }
        let number = places.insert(place)
        guard number < children.count else {
            children.append(child)
            return
        }
        children[number].changed = children[number].changed.flatMap { one in
            child.changed.map { max(one, $0) }
        }
        children[number].token += "+" + child.token
        children[number].kinds += child.kinds
    }
}
