package import MooringDecisions
package import MooringLedger
package import MooringModel

/// Sees to it that the stores are those that the ledger knows under their names: looks for a
/// bucket's marker and a source's ids, adopts what is new, and writes a marker where there is none.
package struct IdentityStage {
    private let job: Job
    private let run: RunID

    /// A stage that keeps what it adopts under a run.
    package init(job: Job, run: RunID) {
        self.job = job
        self.run = run
    }

    /// The answer for one store.
    package struct Result: Hashable, Sendable {
        /// The name of the source or bucket.
        package let name: String
        /// Whether it is a bucket or a source.
        package let side: StoreSide
        /// The guard's answer, and what the ledger shall know.
        package let answer: IdentityRule.Answer
    }

    /// Looks at every live store. What a person accepted is adopted or forgotten at once, unless
    /// the job judges as of another moment.
    package func check(accepting acceptance: Acceptance = Acceptance()) async throws -> [Result] {
        var results: [Result] = []
        for source in job.records where source.isLive {
            try job.interruption.check()
            if let answer = try await answer(source, acceptance) {
                results.append(Result(name: source.name, side: .records, answer: answer))
            }
        }
        for bucket in job.buckets where bucket.isLive {
            try job.interruption.check()
            guard let store = bucket.marker else { continue }
            results.append(
                Result(
                    name: bucket.name, side: .bucket,
                    answer: try await answer(bucket, store, acceptance)))
        }
        guard job.asOf == nil else { return results }
        for result in results {
            if result.answer.forgets { try job.ledger.forgetStore(result.side, result.name) }
            try adopt(result.answer.adopts, result)
        }
        return results
    }

    /// Looks at every store, and refuses everything when one is another than the ledger knows, or
    /// when that could not be found out. A bucket that cannot be reached at all is an error.
    package func refuseOthers(
        accepting acceptance: Acceptance = Acceptance(), refused: String
    ) async throws -> [Result] {
        let results = try await check(accepting: acceptance)
        for result in results where result.answer.refusal != nil && !result.answer.answer.refused {
            _ = try await job.bucket(result.name)?.lease?.readLease()
        }
        let refusing = results.filter { $0.answer.refusal != nil }
        guard let first = refusing.first else { return results }
        throw IdentityRefusal(
            guards: results.map(\.answer.answer),
            refusal: Refusal(
                .refused, found: refusing.compactMap(\.answer.refusal).joined(separator: "; "),
                refused: refused, next: first.answer.answer.hint ?? IdentityRule.readable))
    }

    /// Adopts what is new once every guard passed; with rights, writes a marker into each bucket
    /// that has none. Returns what people have to know.
    package func adoptNew(
        _ results: [Result], by rights: ActingRights? = nil
    ) async throws -> [String] {
        guard job.asOf == nil else { return [] }
        var sentences: [String] = []
        for result in results {
            try adopt(result.answer.adoptsLater, result)
            guard result.answer.wantsMarker, let bucket = rights?.bucket(result.name),
                let store = bucket.markerStore
            else { continue }
            do {
                try await store.createMarker(StoreMarker.new().content)
                // Another ledger may have been first: what is there now is what both know.
                guard let content = try await store.readMarker(),
                    let marker = StoreMarker(content)
                else { continue }
                var parts = [
                    IdentityRule.markerPart: marker.id,
                    IdentityRule.placePart: store.markerPlace,
                ]
                parts[IdentityRule.tracePart] = try await store.markerTrace()
                try adopt(parts, result)
            } catch let error as StoreError {
                sentences.append(
                    "bucket \(bucket.name) has no marker that would tell it from another one, "
                        + "since none could be written: \(error)")
            }
        }
        return sentences
    }

    private func adopt(_ parts: [String: String], _ result: Result) throws {
        guard !parts.isEmpty else { return }
        try job.ledger.adopt(parts, of: result.side, result.name, in: run, at: job.clock())
    }

    private func answer(
        _ source: any RecordSource, _ acceptance: Acceptance
    ) async throws -> IdentityRule.Answer? {
        let found: SourceIdentity
        do {
            found = try await source.identity()
        } catch let error as StoreError {
            found = SourceIdentity(unread: ["\(error)"])
        }
        return IdentityRule.answer(
            source: source.name, known: try job.ledger.storeIdentity(.records, source.name),
            found: found, isAccepted: acceptance.identities.contains(source.name))
    }

    private func answer(
        _ bucket: any Bucket, _ store: any MarkerReader, _ acceptance: Acceptance
    ) async throws -> IdentityRule.Answer {
        let known = try job.ledger.storeIdentity(.bucket, bucket.name)
        var facts = IdentityRule.BucketFacts(
            name: bucket.name, known: known, found: .absent, place: store.markerPlace,
            isAccepted: acceptance.identities.contains(bucket.name))
        do {
            guard let content = try await store.readMarker() else {
                return IdentityRule.answer(facts)
            }
            guard let marker = StoreMarker(content) else {
                facts.found = .unreadable(
                    "\(StoreMarker.key.text) is no marker of Mooring's, or of a later version; "
                        + "find out who wrote it")
                return IdentityRule.answer(facts)
            }
            facts.found = .marker(marker)
            facts.trace = try await store.markerTrace()
            if let place = known[IdentityRule.placePart],
                known[IdentityRule.markerPart] == marker.id
            {
                facts.isCopy = await store.isCopy(
                    of: place, trace: known[IdentityRule.tracePart])
            }
        } catch let error as StoreError {
            facts.found = .unreadable("\(error)")
        }
        return IdentityRule.answer(facts)
    }
}

/// A stop since a store is not the one that the ledger knows, with every store's answer.
package struct IdentityRefusal: Error, Sendable {
    /// What the guard said of each store, for the report.
    package let guards: [RunSummary.Guard]
    /// The stop, in words.
    package let refusal: Refusal
}

extension Refusal {
    /// The refusal of a run's guards about the stores' identities; nil when none refuses.
    package init?(identities guards: [RunSummary.Guard], refused: String) {
        let refusing = IdentityRule.refusals(in: guards)
        guard !refusing.isEmpty else { return nil }
        self.init(
            .refused,
            found: refusing.map { answer in
                "\(answer.place ?? "a store") is not seen to be the store that the ledger knows: "
                    + answer.value
            }.joined(separator: "; "),
            refused: refused, next: refusing.compactMap(\.hint).first ?? IdentityRule.readable)
    }
}
