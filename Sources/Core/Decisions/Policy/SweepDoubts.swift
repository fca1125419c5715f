package import MooringModel

/// What stands against a run's looks at one object in quarantine, beside the waits of a sweep.
package struct SweepDoubts: Hashable, Sendable {
    /// What the run itself lacks, as `RunSummary.missingProof` says it.
    package var run: String?
    /// Why another ledger, or another configuration, has to look at it; nil where this one may.
    package var origin: String?
    /// What a guard refused where it lies; nil where none did.
    package var place: String?
    /// Whether it is no longer what was judged.
    package var isChanged: Bool
    /// Whether a listing went on from an earlier run's, or is an inventory's, so that it does not
    /// tell what is there now.
    package var isListedInParts: Bool
    /// Why the object itself stays though nothing references it; nil where nothing keeps it.
    package var object: String?
    /// Whether tables are left out in words, which may reference it.
    package var hasUnreadTables: Bool

    /// The doubts about an object.
    package init(
        run: String? = nil, origin: String? = nil, place: String? = nil, isChanged: Bool = false,
        isListedInParts: Bool = false, object: String? = nil, hasUnreadTables: Bool = false
    ) {
        self.run = run
        self.origin = origin
        self.place = place
        self.isChanged = isChanged
        self.isListedInParts = isListedInParts
        self.object = object
        self.hasUnreadTables = hasUnreadTables
    }

    /// What a sweep waits for on their account, what concerns most objects first; nil where there
    /// is none of them.
    package var missing: String? {
        run ?? origin ?? place
            ?? (isChanged ? "an object that is as it was when it was judged" : nil)
            ?? (isListedInParts ? "a listing of one run alone" : nil) ?? object
            ?? (hasUnreadTables ? "a source without unread tables" : nil)
    }
}

extension RunSummary {
    /// Why the run cannot prove that nothing references an object, whatever it saw; nil when it
    /// can. `isLive` says that every source's answers may lead to a repair.
    package func missingProof(isLive: Bool) -> String? {
        if !isLive { return "live stores" }
        if confirmedAt == nil { return "a confirm scan" }
        if !IdentityRule.refusals(in: guards).isEmpty {
            return "the store that the ledger knows"
        }
        return status == .complete ? nil : "a complete run"
    }
}
