/// The safeguards of the repair protocol. The simulator takes one out by blinding the product's
/// own code to what that safeguard looks at, never by running other code.
package struct Safeguards: OptionSet, Hashable, Sendable {
    /// One bit a safeguard.
    package let rawValue: UInt32

    /// A set of these bits.
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// A candidate younger than G is explained.
    package static let grace = Safeguards(rawValue: 1 << 0)
    /// The owners are read at the moment of acting.
    package static let requery = Safeguards(rawValue: 1 << 1)
    /// The act itself is conditional on the version.
    package static let condition = Safeguards(rawValue: 1 << 2)
    /// What is looked at before the act is compared with what was judged.
    package static let versionComparison = Safeguards(rawValue: 1 << 3)
    /// Where no owner is settled, a second sighting at least G later.
    package static let twoSightings = Safeguards(rawValue: 1 << 4)
    /// Where there is no second sighting, a settled owner; and one for every sweep.
    package static let settledOwner = Safeguards(rawValue: 1 << 5)
    /// Objects go into quarantine, not away.
    package static let quarantine = Safeguards(rawValue: 1 << 6)
    /// The owners are read once more behind the quarantine.
    package static let ownersAfter = Safeguards(rawValue: 1 << 7)
    /// A restore never replaces what is there.
    package static let noOverwrite = Safeguards(rawValue: 1 << 8)
    /// The records are searched once more after the listing.
    package static let passB = Safeguards(rawValue: 1 << 9)
    /// That search reads every table, mapped or not.
    package static let everyTable = Safeguards(rawValue: 1 << 10)
    /// A sweep follows a scan of its own.
    package static let ownScan = Safeguards(rawValue: 1 << 11)
    /// Two complete runs at least G apart saw no reference before a sweep.
    package static let cleanRuns = Safeguards(rawValue: 1 << 12)
    /// First sights and sightings are kept by the version of an object.
    package static let firstSightByVersion = Safeguards(rawValue: 1 << 13)
    /// The records are read before the listing.
    package static let recordsFirst = Safeguards(rawValue: 1 << 14)
    /// A nulling reads the record, looks at the object, and reads the record again.
    package static let sandwich = Safeguards(rawValue: 1 << 15)
    /// A nulled reference is put back when its object appeared meanwhile.
    package static let putBack = Safeguards(rawValue: 1 << 16)
    /// What a crash leaves open is resumed from the journal.
    package static let journal = Safeguards(rawValue: 1 << 17)
    /// A write whose answer was lost is fenced off.
    package static let fence = Safeguards(rawValue: 1 << 18)
    /// Two auditors do not run on one bucket, and one that crashed keeps its lease.
    package static let lease = Safeguards(rawValue: 1 << 19)
    /// Objects in quarantine that a record references are given back.
    package static let watch = Safeguards(rawValue: 1 << 20)

    /// Where settling is unknown, looks before a sweep lie so close that no chain of old copies
    /// passes unseen between them.
    package static let spreadLooks = Safeguards(rawValue: 1 << 21)

    /// All of them.
    package static let all = Safeguards(rawValue: (1 << 22) - 1)

    /// Their names, in the order in which they are listed.
    package static let names: [(name: String, safeguard: Safeguards)] = [
        ("grace", .grace), ("requery", .requery), ("condition", .condition),
        ("version-comparison", .versionComparison), ("two-sightings", .twoSightings),
        ("settled-owner", .settledOwner), ("quarantine", .quarantine),
        ("owners-after", .ownersAfter), ("no-overwrite", .noOverwrite), ("pass-b", .passB),
        ("every-table", .everyTable), ("own-scan", .ownScan), ("clean-runs", .cleanRuns),
        ("spread-looks", .spreadLooks),
        ("first-sight", .firstSightByVersion),
        ("sandwich", .sandwich), ("put-back", .putBack), ("journal", .journal),
        ("fence", .fence), ("lease", .lease), ("watch", .watch),
    ]
}

/// What one simulated auditor does: the product's protocol, or a weakened one.
package struct AuditProtocol: Hashable, Sendable {
    /// Which proof an act needs.
    package enum Proof: Sendable {
        /// A settled verdict is enough.
        case nothing
        /// A second sighting.
        case secondSighting
        /// A settled owner.
        case settledOwner
        /// What the product asks for.
        case either
    }

    /// The name by which the command line knows it.
    package let name: String
    /// What it takes care of.
    package var safeguards: Safeguards
    /// Which proof its acts need.
    package var proof: Proof
    /// Whether it removes orphans.
    package var removes: Bool
    /// Whether it nulls dangling references.
    package var nulls: Bool

    /// A protocol.
    package init(
        _ name: String, _ safeguards: Safeguards, proof: Proof = .nothing, removes: Bool = true,
        nulls: Bool = false
    ) {
        self.name = name
        self.safeguards = safeguards
        self.proof = proof
        self.removes = removes
        self.nulls = nulls
    }

    /// Whether a safeguard is in place.
    package func has(_ safeguard: Safeguards) -> Bool { safeguards.contains(safeguard) }

    /// The product's protocol, removing and nulling.
    package static let full = AuditProtocol(
        "full", .all, proof: .either, removes: true, nulls: true)

    /// The full protocol without one safeguard.
    package static func without(_ safeguard: Safeguards, named name: String) -> AuditProtocol {
        AuditProtocol(
            "full-without-" + name, Safeguards.all.subtracting(safeguard), proof: .either,
            removes: true, nulls: true)
    }

    /// The auditors of the first table, each adding to the one above.
    package static let removals: [AuditProtocol] = [
        AuditProtocol("list-scan-delete", [.journal, .lease]),
        AuditProtocol("grace", [.journal, .lease, .grace]),
        AuditProtocol("requery", [.journal, .lease, .grace, .requery]),
        AuditProtocol("conditional", conditional),
        AuditProtocol("two-runs", conditional, proof: .secondSighting),
        AuditProtocol(
            "quarantine", conditional.union([.quarantine, .watch, .ownScan, .noOverwrite]),
            proof: .secondSighting),
        AuditProtocol("full", .all, proof: .either),
        AuditProtocol(
            "settled-unconditional", [.journal, .lease, .grace, .requery], proof: .settledOwner),
        AuditProtocol("settled-one-run-delete", conditional, proof: .settledOwner),
    ]

    private static let conditional: Safeguards = [
        .journal, .lease, .grace, .requery, .condition, .versionComparison,
    ]

    /// The auditors of the second table.
    package static let nullings: [AuditProtocol] = [
        nulling("list-scan-null", [.journal, .lease]),
        nulling("scan-list-null", [.journal, .lease, .recordsFirst]),
        nulling(
            "sandwich-null", [.journal, .lease, .recordsFirst, .sandwich, .versionComparison]),
        nulling(
            "sandwich-conditional",
            [.journal, .lease, .recordsFirst, .sandwich, .versionComparison, .condition]),
        nulling("full-null", .all, proof: .either),
    ]

    private static func nulling(
        _ name: String, _ safeguards: Safeguards, proof: Proof = .nothing
    ) -> AuditProtocol {
        AuditProtocol(name, safeguards, proof: proof, removes: false, nulls: true)
    }

    /// The protocol of a name: one of the tables', or `full-without-SAFEGUARD`; nil when unknown.
    package static func named(_ name: String) -> AuditProtocol? {
        if name == full.name { return full }
        if let found = (removals + nullings).first(where: { $0.name == name }) { return found }
        return Safeguards.names.first { "full-without-" + $0.name == name }
            .map { without($0.safeguard, named: $0.name) }
    }

    /// Every name that `named` knows.
    package static var names: [String] {
        (removals + nullings).map(\.name) + Safeguards.names.map { "full-without-" + $0.name }
    }
}
