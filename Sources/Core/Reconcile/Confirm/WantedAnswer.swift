package import MooringDecisions
package import MooringModel

/// What pass B says of one object that it looked for.
package struct WantedAnswer {
    /// A record that the object's key names as its owner.
    package struct Owner {
        /// Its name, with the field that would hold the key.
        package let name: OwnerName
        /// The record; nil where there is none.
        package let record: ConfirmScan.OwnerRecord?
        /// Objects in the list that may have lost this one, where they were looked at.
        package var siblings: [ListedSibling] = []
    }

    /// Whether a mapped field references it now.
    package let isReferenced: Bool
    /// Whether what says what was, and is no reference, names it.
    package let isRemembered: Bool
    /// Its possible owners.
    package var owners: [Owner]
    /// Whether its key names more owners than were looked for, or one name stands for two records.
    package let areOwnersCutOff: Bool
    private let seldom: Seldom?

    /// A missing reference that may mean it, with how it lies for that one.
    package var claim: (place: RecordPlace, object: MeantObject)? { seldom?.claim }
    /// An owner that holds its name in some spelling, where no object lies at what it holds.
    package var namedAt: RecordPlace? { seldom?.namedAt }
    /// A record spelt like an owner that is absent.
    package var nearOwner: RecordIdentity? { seldom?.nearOwner }

    // What is said of few objects, and would make the answers about all others large.
    private final class Seldom {
        let claim: (place: RecordPlace, object: MeantObject)?
        let namedAt: RecordPlace?
        let nearOwner: RecordIdentity?

        init?(
            _ claim: (place: RecordPlace, object: MeantObject)?, _ namedAt: RecordPlace?,
            _ nearOwner: RecordIdentity?
        ) {
            guard claim != nil || namedAt != nil || nearOwner != nil else { return nil }
            (self.claim, self.namedAt, self.nearOwner) = (claim, namedAt, nearOwner)
        }
    }

    /// What a scan found out about one of the keys that it looked for.
    fileprivate init(_ scan: borrowing ConfirmScan, _ wanted: Int) {
        isReferenced = scan.referenced.contains(wanted)
        isRemembered = scan.remembered.contains(wanted)
        owners = scan.owners(of: wanted)
        areOwnersCutOff = scan.ownersCutOff(of: wanted)
        seldom = Seldom(scan.claim(on: wanted), scan.named[wanted], scan.nearOwner(of: wanted))
    }
}

extension ConfirmScan {
    /// What was found out about one of the wanted keys.
    package func answer(about wanted: Int) -> WantedAnswer { WantedAnswer(self, wanted) }

    /// Notes that an owner at a place holds the name of a wanted key: of several places the first
    /// by their names, in whatever order they are read.
    mutating func name(_ wanted: Int, at place: RecordPlace) {
        if let known = named[wanted], !place.precedes(known) { return }
        named[wanted] = place
    }

    /// The records that a wanted key names, whether they were met or not.
    package func possibleOwners(of wanted: Int) -> [OwnerName] { wantedKeys.owners[wanted] }

    /// The possible owners of one of the wanted keys, as they were read.
    package func owners(of wanted: Int) -> [WantedAnswer.Owner] {
        wantedKeys.owners[wanted].map {
            WantedAnswer.Owner(name: $0, record: owners[$0.withoutField])
        }
    }
}
