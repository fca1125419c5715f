package import MooringModel

/// What a complete run counted in one place, kept to be compared with later ones.
package struct PlaceCount: Hashable, Sendable {
    /// What was counted.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Objects listed in a bucket.
        case objects
        /// References read in a file field.
        case references
        /// Records read of a model.
        case rows
        /// Orphans that nothing but texts of a source protects.
        case texts
    }

    /// What was counted.
    package var kind: Kind
    /// The place, as reports write it.
    package var place: String
    /// A hash of the store and the mapping it was counted under: only counts of one are compared.
    package var fingerprint: String
    /// How many there are.
    package var count: Int
    /// Whether the guard on a loss refused there.
    package var isRefused: Bool
    /// Whether somebody accepted what the guard refused.
    package var isAccepted: Bool
    /// The run's place in the ledger's own order; 0 before it is written.
    package var sequence: Int64
    /// When the run says it began.
    package var at: Instant
    /// The number of the journal's last entry when it was counted; 0 before it is written.
    package var journal: Int64

    /// A count that is not written yet.
    package init(
        kind: Kind, place: String, fingerprint: String, count: Int, isRefused: Bool = false,
        isAccepted: Bool = false
    ) {
        self.kind = kind
        self.place = place
        self.fingerprint = fingerprint
        self.count = count
        self.isRefused = isRefused
        self.isAccepted = isAccepted
        sequence = 0
        at = .distantPast
        journal = 0
    }

    /// The tables of a migration that is never changed. Runs are pruned earlier than their counts,
    /// so that the shortest keeping of reports takes no usual count away.
    static let schema = """
        CREATE TABLE placeCount (
            kind TEXT NOT NULL,
            place TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            sequence INTEGER NOT NULL,
            run TEXT NOT NULL,
            at INTEGER NOT NULL,
            count INTEGER NOT NULL,
            refused INTEGER NOT NULL,
            accepted INTEGER NOT NULL,
            journal INTEGER NOT NULL,
            PRIMARY KEY (kind, place, fingerprint, sequence)
        ) WITHOUT ROWID;
        CREATE INDEX placeCountByRun ON placeCount (run);
        CREATE INDEX journalByEnd ON journal (endedAt) WHERE outcome = 'done';
        ALTER TABLE sighting ADD COLUMN heldRuns INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE sighting ADD COLUMN heldAt INTEGER;
        ALTER TABLE sighting ADD COLUMN heldShare REAL NOT NULL DEFAULT 0;
        """
}
