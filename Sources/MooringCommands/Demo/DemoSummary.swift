package import MooringModel

/// What a demo holds, for the command to print.
package struct DemoSummary: Hashable, Sendable {
    /// Findings of one sort that the first audit makes.
    package struct Planted: Hashable, Sendable {
        /// The kind.
        package let kind: FindingKind
        /// The cause; nil for kinds that have none.
        package let cause: FindingCause?
        /// The verdict at the moment the demo is made.
        package let verdict: Verdict
        /// How many.
        package var count: Int
    }

    /// Records in the database, over all tables.
    package let records: Int
    /// Objects in the folder, without the one in quarantine.
    package let files: Int
    /// Their bytes.
    package let bytes: Int64
    /// Objects that lie in quarantine from the start.
    package let quarantined: Int
    /// The planted faults, in the order of the catalogue.
    package let planted: [Planted]
}
