package import MooringDecisions
package import MooringModel

/// A copy that is behind its authority in both passes, before judgement.
package struct StaleCopy: Sendable {
    /// One side of it, as pass B read it.
    package struct Side: Hashable, Sendable {
        /// Which of the models, over all sources.
        package let model: Int
        /// Its source, model and identifier.
        package let identity: RecordIdentity
        /// What the record says, by which copies and authorities are compared.
        package let state: CopyState
        /// One text for this version of the row.
        package let token: String
    }

    /// Why it is stale.
    package let cause: FindingCause
    /// The copy.
    package let copy: Side
    /// The authority's record, or where it would be.
    package let authority: (model: Int, identity: RecordIdentity)
    /// The authority's record; nil when there is none.
    package let original: Side?
    /// Where the authority has no such record, one there that is spelt like it.
    package let alike: RecordIdentity?
}

/// Pass B of copies: the candidates and their authorities' records, read once more.
struct CopyConfirm: Sendable {
    private struct Seen {
        var state: CopyState
        var token: String
    }

    private let models: [SourceModel]
    private let pairs: CopyPairs
    private let candidates: ByteTable
    // The place of each candidate's record at its authority, which several copies may share.
    private var originals = ByteTable()
    private var originalNumbers: [Int] = []
    private var copies: [Seen?]
    private var authorities: [Seen?]
    private var near = NearOwners()

    /// Pass B after a pass A that was closed.
    init(_ scan: CopyScan) {
        models = scan.models
        pairs = scan.pairs
        candidates = scan.candidates
        for number in 0..<scan.candidates.count {
            let bytes = scan.candidates.bytes(number)
            let model = Self.model(of: bytes)
            let (id, original) = (
                RecordIDCoding.decode(bytes), scan.pairs.authorities[model] ?? model
            )
            originalNumbers.append(originals.insert(RecordIDCoding.encode(id, model: original)))
            near.want(id.joined, model: original)
        }
        copies = Array(repeating: nil, count: candidates.count)
        authorities = Array(repeating: nil, count: originals.count)
    }

    /// Reads one batch of a source's rows.
    mutating func read(_ batch: RecordBatch, source: String) {
        guard candidates.count > 0 else { return }
        let readers = pairs.readers(batch, source: source, models)
        for row in batch.rows {
            for reader in readers {
                guard let (reading, state) = reader.read(row) else { continue }
                let key = RecordIDCoding.encode(reading.id, model: reader.model)
                if pairs.authorities[reader.model] == nil {
                    if !reading.isTombstone { near.read(reading.id, model: reader.model) }
                    guard let number = originals.number(of: key) else { continue }
                    authorities[number] = Self.merging(
                        authorities[number], state,
                        RowToken.of(reading, row: row, columns: batch.columns))
                } else if let number = candidates.number(of: key) {
                    copies[number] = Self.merging(
                        copies[number], state,
                        RowToken.of(reading, row: row, columns: batch.columns))
                }
            }
        }
    }

    /// The copies that are still behind.
    func stale() -> [StaleCopy] {
        copies.indices.compactMap { number in
            guard let copy = copies[number] else { return nil }
            let authority = authorities[originalNumbers[number]]
            guard let cause = CopyRule.cause(of: copy.state, authority: authority?.state) else {
                return nil
            }
            let bytes = candidates.bytes(number)
            let id = RecordIDCoding.decode(bytes)
            let model = Self.model(of: bytes)
            let original = pairs.authorities[model] ?? model
            let place = identity(id, original)
            return StaleCopy(
                cause: cause,
                copy: StaleCopy.Side(
                    model: model, identity: identity(id, model), state: copy.state,
                    token: copy.token),
                authority: (original, place),
                original: authority.map {
                    StaleCopy.Side(
                        model: original, identity: place, state: $0.state, token: $0.token)
                },
                alike: cause == .deletedUpstream
                    ? near.record(like: id.joined, in: [original], of: models) : nil)
        }
    }

    private func identity(_ id: RecordID, _ model: Int) -> RecordIdentity {
        RecordIdentity(source: models[model].source, model: models[model].mapping.model, id: id)
    }

    private static func merging(_ seen: Seen?, _ state: CopyState, _ token: String) -> Seen {
        guard let seen else { return Seen(state: state, token: token) }
        return Seen(state: seen.state.merging(state), token: seen.token + "+" + token)
    }

    private static func model(of bytes: ArraySlice<UInt8>) -> Int {
        Int(bytes[bytes.startIndex]) << 8 | Int(bytes[bytes.startIndex + 1])
    }
}
