import MooringAWS
package import MooringModel

extension S3Bucket {
    /// The objects of `listBatches`, as values of their own.
    package func list(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await listBatches { try await receive($0.objects) }
    }

    /// Lists what belongs to the app, without quarantine, lease and marker. No version ids are
    /// listed: ListObjectVersions tells them, and costs as many pages as there are old versions.
    /// What is acted upon is looked at for its id; why that is safe: `ObjectVersion.means`.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        let listing = listing(of: own)
        let keepsVersions: Bool
        switch await self.keepsVersions() {
        case .failure(let problem): return incomplete(problem)
        case .success(let answer): keepsVersions = answer
        }
        var result: ScanResult
        if let spool {
            result = try await listing.objectBatches(
                scope, of: storeIdentity, spooledAt: spool, receive)
        } else {
            result = try await listing.objectBatches(scope, receive)
        }
        result.keepsVersions = keepsVersions
        return result
    }

    /// A listing of a bucket, with as many requests at a time as it may have.
    func listing(of calls: BucketCalls) -> S3Listing {
        S3Listing(calls.client, concurrency: concurrency, clock: clock)
    }

    /// What belongs to the app.
    var scope: ListingScope {
        ListingScope(
            prefixes: prefixes, hiddenPrefixes: [holdsQuarantine ? quarantinePrefix : ownTrials],
            hiddenKeys: OwnKey.all)
    }

    /// How the keys begin in this bucket on which a trial is made.
    var ownTrials: [UInt8] {
        holdsQuarantine ? quarantinePrefix + CapabilityTrial.prefix : VersionTrial.elsewhere
    }

    private struct Doubt: Error {
        let problem: ScanProblem
    }

    private func keepsVersions() async -> Result<Bool, Doubt> {
        do {
            return .success(try await own.versioning() == .enabled)
        } catch {
            return .failure(
                Doubt(
                    problem: ScanProblem(
                        place: "s3://\(own.client.place.bucket)/",
                        reason: "whether it keeps versions is not known: \(error)")))
        }
    }

    private func incomplete(_ doubt: Doubt) -> ScanResult {
        let now = clock()
        return ScanResult(
            window: ScanWindow(from: now, to: now), problems: [doubt.problem],
            consistency: "moving", requests: 1)
    }

    /// Lists the copies and reads the notes in quarantine, several at a time.
    package func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        if case .failure(let doubt) = await keepsVersions() { return incomplete(doubt) }
        // Versions may have been kept for a while, so notes are looked for wherever some may be.
        let mayHoldNotes = try await own.versioning() != .never
        var notes = NoteProblems()
        let scope = ListingScope(prefixes: [quarantinePrefix])
        let result = try await listing(of: held).objects(scope) { batch in
            let found = try await read(batch, mayHoldNotes: mayHoldNotes, &notes)
            if !found.isEmpty { try await receive(found) }
        }
        return ScanResult(
            window: result.window, problems: result.problems + notes.problems,
            problemCount: result.problemCount + notes.count,
            outsideCount: result.outsideCount + notes.outside, consistency: result.consistency,
            requests: result.requests + notes.requests)
    }

    /// What was met beside the listing itself.
    private struct NoteProblems {
        var problems: [ScanProblem] = []
        var count = 0
        var outside = 0
        var requests = 0

        mutating func add(_ problem: ScanProblem) {
            count += 1
            if problem.isOutside { outside += 1 }
            if problems.count < ScanResult.problemLimit { problems.append(problem) }
        }
    }

    private enum HeldReading: Sendable {
        case object(QuarantinedObject)
        case problem(ScanProblem)
        case nothing
    }

    /// A small object that may be a note, and its place in the batch.
    private struct Waiting {
        let index: Int
        let spot: Spot
        let run: RunID
    }

    private func read(
        _ batch: [ListedObject], mayHoldNotes: Bool, _ problems: inout NoteProblems
    ) async throws -> [QuarantinedObject] {
        var readings: [HeldReading] = []
        var waiting: [Waiting] = []
        for listed in batch {
            let rest = listed.key.bytes.dropFirst(quarantinePrefix.count)
            // In a quarantine called .mooring/ lease and marker lie beside the runs.
            if rest.starts(with: CapabilityTrial.prefix) || OwnKey.contains(listed.key) {
                continue
            }
            guard let slash = rest.firstIndex(of: UInt8(ascii: "/")),
                let run = RunID(String(decoding: rest[..<slash], as: UTF8.self)),
                case let key = ObjectKey(Array(rest[(slash + 1)...])), !key.bytes.isEmpty
            else {
                problems.add(
                    ScanProblem(
                        place: listed.key.text, reason: "lies in the quarantine and in no run",
                        isOutside: true))
                continue
            }
            if OwnKey.contains(key) { continue }
            if mayHoldNotes, listed.version.size <= QuarantineNote.limit {
                let spot = Spot(key: key, place: listed.key)
                waiting.append(Waiting(index: readings.count, spot: spot, run: run))
            }
            readings.append(
                .object(
                    QuarantinedObject(key: key, run: run, version: listed.version.withoutID)))
        }
        problems.requests += waiting.count
        await readNotes(waiting, &readings)
        return readings.compactMap { reading in
            switch reading {
            case .object(let object): return object
            case .problem(let problem):
                problems.add(problem)
                return nil
            case .nothing: return nil
            }
        }
    }

    private func readNotes(_ waiting: [Waiting], _ readings: inout [HeldReading]) async {
        await withTaskGroup(of: (Int, HeldReading?).self) { group in
            var rest = waiting[...]
            for _ in 0..<concurrency {
                guard let next = rest.popFirst() else { break }
                group.addTask { (next.index, await self.note(next.spot, next.run)) }
            }
            for await (index, reading) in group {
                if let reading { readings[index] = reading }
                guard let next = rest.popFirst() else { continue }
                group.addTask { (next.index, await self.note(next.spot, next.run)) }
            }
        }
    }

    // Read at once: of a small object a HEAD costs as much. What is not given, such as a copy in
    // an archive, is looked at first.
    private func listedContent(of spot: Spot) async throws -> HeldContent {
        do {
            guard let (facts, bytes) = try await held.content(spot.place) else { return .nothing }
            guard facts.isNote, facts.version.size <= QuarantineNote.limit else {
                return .copy(facts)
            }
            return QuarantineNote(bytes, key: spot.key).map { .note($0, facts) } ?? .copy(facts)
        } catch let error as StoreError where error.isRefusal {
            return try await content(of: spot)
        }
    }

    // Nil where it is a copy, as it was listed.
    private func note(_ spot: Spot, _ run: RunID) async -> HeldReading? {
        do {
            switch try await listedContent(of: spot) {
            case .nothing: return .nothing
            case .copy: return nil
            case .note(let note, _):
                return .object(
                    QuarantinedObject(
                        key: spot.key, run: run, version: note.version, marker: note.marker))
            }
        } catch {
            return .problem(ScanProblem(place: spot.place.text, reason: "\(error)"))
        }
    }
}
