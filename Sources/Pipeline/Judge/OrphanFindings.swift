import MooringConfiguration
import MooringDecisions
import MooringLedger
import MooringModel
import MooringReconcile
import MooringText

extension Judging {
    /// Adds `orphan`: of what no record holds, and keeps first sights of it.
    func judgeOrphans(_ judged: inout Judged) throws {
        let beside = try BesideOrphans(self, judged)
        // By their places: an orphan with its answers is large, and there may be many. In the order
        // of the ledger's table, so that a batch meets few of its pages.
        let judgeable = confirmed.orphans.indices.filter {
            !beside.derived.keeps(confirmed.orphans[$0].candidate)
        }
        let kept = judgeable.places(
            inOrderOf: { confirmed.orphans[$0].candidate.bucket },
            { confirmed.orphans[$0].candidate.object.key.bytes }
        ).map { judgeable[$0] }
        job.progress.begin("judging orphans", .judge, of: kept.count)
        defer { job.progress.end() }
        let batches = kept.chunks(of: Ledger.batchSize)
        var next = try batches.first.map(known)
        for (number, places) in batches.enumerated() {
            try job.interruption.check()
            job.progress.advance(places.count)
            guard let known = next else { break }
            guard number + 1 < batches.count else {
                judge(places, by: known, beside, &judged)
                break
            }
            // The ledger answers on one core: meanwhile others judge what it told before.
            let (asked, _) = Cores.both {
                Result { try self.known(batches[number + 1]) }
            } and: {
                judge(places, by: known, beside, &judged)
            }
            next = try asked.get()
        }
    }

    // What the ledger knows of some orphans, in their order.
    private struct KnownOrphans {
        let ids: [String]
        let sights: [Instant]
        let owners: [[PossibleOwner]]
        let histories: [String: FindingHistory]
    }

    private func known(_ places: ArraySlice<Int>) throws -> KnownOrphans {
        let ids = places.map { id(place(confirmed.orphans[$0])) }
        return KnownOrphans(
            ids: ids, sights: try firstSights(of: places.map { confirmed.orphans[$0].candidate }),
            owners: try owners(of: places.map { confirmed.orphans[$0].answer }),
            histories: try job.ledger.history(of: ids))
    }

    private func judge(
        _ places: ArraySlice<Int>, by known: KnownOrphans, _ beside: BesideOrphans,
        _ judged: inout Judged
    ) {
        // What the ledger knows is there: what is left asks nobody.
        for numbers in known.ids.indices.chunks(of: Self.judgedAtOnce) {
            let made = Cores.each(numbers.count) { number in
                let number = numbers.startIndex + number
                return judge(
                    confirmed.orphans[places[places.startIndex + number]], beside,
                    sight: known.sights[number], owners: known.owners[number],
                    history: known.histories[known.ids[number]])
            }
            for one in made {
                judged.note(lack: one.lack)
                judged.add(one.finding, seenAs: one.token)
            }
        }
    }

    /// So many findings are made before they are kept: each lies in memory twice until then.
    static var judgedAtOnce: Int { 2_048 }

    // A finding with the version that was judged, and what its store lacks to repair it.
    private struct JudgedOrphan {
        let finding: Finding
        let token: String
        let lack: String?
    }

    private func judge(
        _ orphan: ConfirmedOrphan, _ beside: BesideOrphans, sight: Instant,
        owners: [PossibleOwner], history: FindingHistory?
    ) -> JudgedOrphan {
        let place = place(orphan)
        let token = orphan.candidate.object.version.token
        var facts = OrphanFacts(
            object: orphan.candidate.object.version, firstSight: sight, owners: owners,
            doubts: beside.doubts(about: orphan, at: place),
            claims: beside.clues.claims(orphan.answer, of: owners),
            unknownIdentity: beside.clues.unknownIdentity(of: place.key),
            sighting: sighting(
                history, token: token,
                bound: PlacedShare.bounding(.orphan, bucket: place.bucket)))
        facts.uploads = uploads(at: place.key, orphan.candidate.bucket)
        facts.waiting = orphan.waiting
        var (finding, lack) = finding(orphan, facts, at: place)
        finding.remember(history, at: now)
        return JudgedOrphan(finding: finding, token: token, lack: lack)
    }

    private func finding(
        _ orphan: ConfirmedOrphan, _ facts: OrphanFacts, at place: ObjectPlace
    ) -> (finding: Finding, lack: String?) {
        let race = job.objectRace(clock: clock)
        let judge = OrphanJudge(race: race, now: orphanMoment(orphan.candidate.bucket))
        let judgement = judge.judge(facts)
        var finding = judge.finding(
            facts, judgement, at: place, references: candidates.join.referenceCount)
        PolicyChoice(
            policy: job.configuration.repair, race: race,
            keepsVersions: stores.keepsVersions(place.bucket, place.key, facts.object)
        ).decide(&finding, proofs: judgement.proofs)
        let lack = keepForLack(&finding)
        finding.require(
            live: job.records.allSatisfy { observations.serves($0) }
                && job.buckets[orphan.candidate.bucket].isLive)
        if job.hasInventory { finding.requireListing() }
        if finding.action == .relink {
            let record = finding.record.map { [$0.identity] } ?? []
            let owners = finding.owners.isEmpty ? record : finding.owners
            finding.require(
                writable: owners.allSatisfy { observations.writes(job.source($0.source)) })
        }
        return (finding, lack)
    }

    private func place(_ orphan: ConfirmedOrphan) -> ObjectPlace {
        ObjectPlace(
            bucket: job.buckets[orphan.candidate.bucket].name, key: orphan.candidate.object.key)
    }

    private func id(_ place: ObjectPlace) -> String {
        FindingIdentity.object(.orphan, bucket: place.bucket, key: place.key)
    }

    private func firstSights(of candidates: [OrphanCandidate]) throws -> [Instant] {
        let now = job.judgedNow
        guard job.asOf == nil else { return candidates.map { _ in now } }
        return try job.ledger.firstSights(
            of: candidates.map {
                (
                    bucket: job.buckets[$0.bucket].name, key: $0.object.key,
                    token: $0.object.version.token
                )
            }, at: now, run: stage.run)
    }

    /// The possible owners that answers of pass B name, in the same order; what is seen of them is
    /// kept in the ledger, unless the records were not all read.
    func owners(
        of answers: [WantedAnswer], remembers: Bool = true
    ) throws -> [[PossibleOwner]] {
        try OwnerLookup(job: job, run: stage.run, times: times, remembers: remembers)
            .owners(of: answers.map(\.owners))
    }
}
