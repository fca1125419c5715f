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
    /// A missing reference that may mean it, with how it lies for that one.
    package let claim: (place: RecordPlace, object: MeantObject)?
    /// An owner that holds its name in some spelling, where no object lies at what it holds.
    package let namedAt: RecordPlace?
    /// Its possible owners.
    package var owners: [Owner]
    /// Whether its key names more owners than were looked for, or one name stands for two records.
    package let areOwnersCutOff: Bool
    /// A record spelt like an owner that is absent.
    package let nearOwner: RecordIdentity?
}

extension ConfirmScan {
    /// What was found out about one of the wanted keys.
    package func answer(about wanted: Int) -> WantedAnswer {
        WantedAnswer(
            isReferenced: referenced.contains(wanted), isRemembered: remembered.contains(wanted),
            claim: claim(on: wanted), namedAt: named[wanted],
            owners: owners(of: wanted), areOwnersCutOff: ownersCutOff(of: wanted),
            nearOwner: nearOwner(of: wanted))
    }

    /// The possible owners of one of the wanted keys, as they were read.
    package func owners(of wanted: Int) -> [WantedAnswer.Owner] {
        wantedKeys.owners[wanted].map {
            WantedAnswer.Owner(name: $0, record: owners[$0.withoutField])
        }
    }
}
