package import MooringModel

// What keeps a repair back though the policy asks for it.

extension Finding {
    /// Whether it is about an object in quarantine, which goes back to its key without more proof.
    /// A deletion that somebody else made is taken back too, but not as lightly.
    package var givesBack: Bool { action == .restore && cause != .deleted }

    /// Leaves it alone, and says why.
    package mutating func keep(because reason: String) {
        action = .keep
        needs = nil
        evidence.append(reason)
    }

    /// Leaves it alone until a store can do what the policy asks for.
    package mutating func keep(lacking lack: String, for action: Strategy) {
        self.action = .keep
        needs = ProofNeed(proof: "a store that can \(action.rawValue): \(lack)", after: nil)
    }

    /// Holds back what would change a store unless all that takes part in it is live.
    package mutating func require(live isLive: Bool) {
        if !isLive, acts { needs = ProofNeed(proof: "live stores", after: nil) }
    }

    /// Holds back what an older listing may lead to wrongly: what takes a reference away, since its
    /// file may lie where only the whole bucket tells, and what cannot be undone.
    package mutating func requireListing() {
        let takesReference = action.map { [.nullify, .repoint, .deleteRecord].contains($0) }
        guard takesReference == true || action?.mayLoseForGood == true else { return }
        needs = ProofNeed(proof: "a listing of the bucket itself", after: nil)
    }

    /// Holds back what would write records of a source that takes no writes.
    package mutating func require(writable isWritable: Bool) {
        guard !isWritable, acts, needs == nil else { return }
        needs = ProofNeed(proof: "records that can be written", after: nil)
    }

    /// Holds back a nulling that fails every night, since the column takes no such value.
    package mutating func require(nullable need: ProofNeed?) {
        if action == .nullify, needs == nil { needs = need }
    }

    /// Marks what an incomplete side leaves standing, about which nothing is done. What a record
    /// was seen to reference comes back whatever else was not read.
    package mutating func mark(incomplete sides: [String]) {
        evidence.append("this run is incomplete: \(sides.joined(separator: ", "))")
        if acts, !givesBack { needs = ProofNeed(proof: "a complete run", after: nil) }
    }

    /// Notes that what says what was still names it, and holds back what cannot be undone.
    package mutating func withholdRemembered() {
        evidence.append("what says what was ('notReferences') still names it")
        withholdIrreversible("nothing in notReferences that names it")
    }

    /// Holds back what cannot be undone until there is a proof.
    package mutating func withholdIrreversible(_ proof: String) {
        guard let action, action.mayLoseForGood else { return }
        needs = ProofNeed(proof: proof, after: nil)
    }

    private var acts: Bool { action.map { $0 != .keep } ?? false }
}
