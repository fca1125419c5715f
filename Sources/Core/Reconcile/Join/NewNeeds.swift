package import MooringModel

/// What an engine is to be asked for that it was not asked for before. Of what it was, hashes are
/// kept alone: 128 bits under secrets of one run, since of two needs that shared one the second
/// would not be asked for.
package struct NewNeeds: Sendable {
    private let maker = FingerprintMaker()
    // Eight bytes are a number themselves.
    private var endings: Set<UInt64> = []
    private var others: [NarrowingNeed.Kind: Set<Fingerprint>] = [:]
    // So many objects of a head are had; all of them where it is nil.
    private var heads: [NarrowingNeed: Int?] = [:]
    private var new = NarrowingNeeds()

    /// None, of an engine that was asked for nothing.
    package init() {}

    /// Adds a need that is no matter of a bucket or a model.
    mutating func insert(_ kind: NarrowingNeed.Kind, _ bytes: [UInt8]) {
        insert(NarrowingNeed(kind, 0, bytes))
    }

    /// Adds a need.
    package mutating func insert(_ need: NarrowingNeed) {
        if isNew(need) { new.append(need) }
    }

    /// Adds several.
    package mutating func insert(_ needs: some Sequence<NarrowingNeed>) {
        for need in needs { insert(need) }
    }

    /// Gives what is new; behind that it is what the engine was asked for.
    package mutating func take() -> NarrowingNeeds {
        defer { new = NarrowingNeeds() }
        return new
    }

    private mutating func isNew(_ need: NarrowingNeed) -> Bool {
        switch need.kind {
        case .head: return isNew(head: need)
        case .ending where need.bytes.count == 8:
            return endings.insert(need.bytes.reduce(0) { $0 << 8 | UInt64($1) }).inserted
        default:
            let hash = need.bytes.withUnsafeBufferPointer {
                maker.make($0, tag: UInt64(need.number))
            }
            return others[need.kind, default: []].insert(hash).inserted
        }
    }

    private mutating func isNew(head need: NarrowingNeed) -> Bool {
        let place = NarrowingNeed(.head, need.number, need.bytes)
        if let known = heads[place] {
            guard let known else { return false }
            if let enough = need.enough, enough <= known { return false }
        }
        heads.updateValue(need.enough, forKey: place)
        return true
    }
}
