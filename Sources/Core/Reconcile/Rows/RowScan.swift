package import MooringModel

/// What pass A keeps for differences between records alone: relations, and copies of records.
/// Nothing is kept where the configuration has neither.
package struct RowScan: Sendable {
    private var relations: RelationScan
    private var copies: CopyScan

    /// A scan over these models.
    package init(models: [SourceModel]) {
        relations = RelationScan(models: models)
        copies = CopyScan(models: models)
    }

    /// Reads one batch in pass A; rows of tables that take no part are passed over.
    package mutating func read(_ batch: RecordBatch, source: String) {
        relations.read(batch, source: source)
        copies.read(batch, source: source)
    }

    /// Ends pass A: only what differs is kept.
    package mutating func close() {
        relations.close()
        copies.close()
    }

    /// Whether anything is left for pass B to look at.
    package var hasCandidates: Bool { relations.hasCandidates || copies.hasCandidates }

    /// Pass B over what is left.
    package func confirm() -> RowConfirm {
        RowConfirm(
            relations: RelationConfirm(relations), copies: CopyConfirm(copies))
    }
}

/// Pass B of differences between records alone.
package struct RowConfirm: Sendable {
    private var relations: RelationConfirm
    private var copies: CopyConfirm

    /// Pass B of both.
    init(relations: RelationConfirm, copies: CopyConfirm) {
        self.relations = relations
        self.copies = copies
    }

    /// Reads one batch in pass B; rows of tables that take no part are passed over.
    package mutating func read(_ batch: RecordBatch, source: String) {
        relations.read(batch, source: source)
        copies.read(batch, source: source)
    }

    /// The relations whose parent is gone in both passes, in the order in which they were read.
    package func dangling() -> [RelationCandidate] { relations.candidates() }

    /// The copies that are behind their authority in both passes.
    package func stale() -> [StaleCopy] { copies.stale() }
}
