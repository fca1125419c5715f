package import MooringModel

/// The table that people decide in: a step of a plan a row, as `CSVReport` writes findings.
///
/// Only `decision` and `seen` mean anything when it is read again; all else tells people what they
/// decide on. `seen` stands last: spreadsheets leave out empty cells at the end of a row.
package enum ReviewTable {
    /// The column that people write in.
    package static let decision = "decision"
    /// What was seen, as one text that no spreadsheet takes for a number or a time.
    package static let seen = "seen"
    /// What is compared with it, where the columns are still there.
    package static let finding = "finding"
    package static let strategy = "strategy"
    package static let key = "key"

    private static let columns = [
        decision, "note", "part", finding, "step", strategy, "kind", "cause", "bucket", key,
        "keyBase64", "targetBucket", "target", "targetBase64", "size", "lastModified", "etag",
        "objectVersion", "source", "model", "recordId",
        "recordIdBase64", "field", "recordVersion", seen,
    ]

    /// A step's row before it is written.
    package struct Row {
        /// The step.
        package let step: PlanStep
        /// The finding's kind and cause.
        package let kind: FindingKind
        package let cause: FindingCause?
        /// The part that it stands in.
        package let part: [UInt8]
        /// What the cell `seen` holds.
        package let seen: String

        /// A row.
        package init(
            _ step: PlanStep, kind: FindingKind, cause: FindingCause?, part: [UInt8], seen: String
        ) {
            self.step = step
            self.kind = kind
            self.cause = cause
            self.part = part
            self.seen = seen
        }
    }

    /// The header's row.
    static let header = CSVReport.row(columns.map { CSVReport.Cell.code($0) })

    /// A row with its line end.
    static func text(_ row: Row) -> String {
        let step = row.step
        let (object, target) = (step.precondition.object, step.target)
        let record = step.record
        let id = record?.identity.id.joined
        return CSVReport.row([
            .code(nil), .code(nil), .foreign(row.part), .foreign(Array(step.finding.utf8)),
            .foreign(Array(step.id.utf8)), .code(step.strategy.rawValue), .code(row.kind.rawValue),
            .code(row.cause?.rawValue), .foreign(step.bucket.map { Array($0.utf8) }),
            .foreign(step.key?.bytes), CSVReport.base64(step.key?.bytes),
            .foreign(target.map { Array($0.bucket.utf8) }), .foreign(target?.key.bytes),
            CSVReport.base64(target?.key.bytes),
            .code(object.map { String($0.size) }), .code(object?.lastModified.iso8601),
            .foreign(object.map { Array($0.etag.utf8) }),
            .foreign(object?.versionID.map { Array($0.utf8) }),
            .foreign(record.map { Array($0.identity.source.utf8) }),
            .foreign(record.map { Array($0.identity.model.utf8) }),
            .foreign(id), CSVReport.base64(id), .foreign(record?.field.map { Array($0.utf8) }),
            .code(step.precondition.recordVersion.map { String($0) }), .code(row.seen),
        ])
    }
}
