package import MooringDecisions
package import MooringModel

extension Pipeline {
    /// An object in quarantine after a complete look at everything.
    package struct QuarantineState: Hashable, Sendable {
        /// The bucket's name.
        package let bucket: String
        /// The object, under the key that it had.
        package let object: QuarantinedObject
        /// The records that its key names as owners.
        package let owners: [RecordIdentity]
        /// Whether anything references it.
        package let isReferenced: Bool
        /// What its sweep waits for; nil when it may be removed for good.
        package let need: ProofNeed?
        /// The proof of a sweep, made from the same facts; nil while it waits for something.
        package let proof: IrreversibleProof?
        /// Whether records reference its key, and mean the object that is there again.
        package let livesAgain: Bool
        /// When the pass B ended that all this rests on.
        package let confirmedAt: Instant
        /// Why this run's looks say nothing of it, whatever they saw; nil where they do.
        let lack: HeldProof.Lack?
    }
}
