import MooringAWS
package import MooringModel

extension S3Bucket {
    /// Lists what belongs to the app, without quarantine and lease.
    package func list(
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        try await simple(own, prefixes, versions: try await own.versioning() == .enabled) { batch in
            let kept = batch.filter {
                $0.key != Lease.key
                    && (!holdsQuarantine || !$0.key.hasPrefix(quarantinePrefix))
            }
            if !kept.isEmpty { try await receive(kept) }
        }
    }

    // A simple loop.
    private func simple(
        _ calls: BucketCalls, _ prefixes: [[UInt8]], versions: Bool,
        _ receive: ([ListedObject]) async throws -> Void
    ) async throws -> ScanResult {
        let from = clock()
        for prefix in Self.outermost(prefixes) {
            if versions {
                var next: [AWSRequest.Parameter]? = []
                while let marker = next {
                    let page = try await calls.versionPage(within: prefix, marker)
                    let found = page.entries.filter { $0.isNewest && !$0.entry.isMarker }
                    if !found.isEmpty {
                        try await receive(
                            found.map { ListedObject(key: $0.key, version: $0.entry.version) })
                    }
                    next = page.next
                }
                continue
            }
            var token: String?
            repeat {
                let response = try await calls.perform(
                    S3Call(
                        "ListObjectsV2",
                        query: [
                            AWSRequest.Parameter("list-type", "2"),
                            AWSRequest.Parameter("encoding-type", "url"),
                            AWSRequest.Parameter("prefix", prefix),
                        ] + (token.map { [AWSRequest.Parameter("continuation-token", $0)] } ?? [])))
                let document = try XMLDocument(response.body)
                let found = try document.all("Contents").map {
                    ListedObject(
                        key: ObjectKey(try PercentDecoding.decode($0["Key"]?.text ?? "")),
                        version: ObjectVersion(
                            size: Int64($0["Size"]?.text ?? "") ?? 0,
                            etag: ETag.bare($0["ETag"]?.text ?? ""),
                            lastModified: Instant(iso8601: $0["LastModified"]?.text ?? "")!
                                .wholeSecond))
                }
                if !found.isEmpty { try await receive(found) }
                token =
                    document["IsTruncated"]?.text == "true"
                    ? document["NextContinuationToken"]?.text : nil
            } while token != nil
        }
        return ScanResult(
            window: ScanWindow(from: from, to: clock()), problems: [], consistency: "moving")
    }

    /// Lists the copies and reads the notes in quarantine, several at a time.
    package func listQuarantine(
        _ receive: ([QuarantinedObject]) async throws -> Void
    ) async throws -> ScanResult {
        let mayHoldNotes: Bool
        do {
            mayHoldNotes = try await own.versioning() != .never
        } catch let error as StoreError {
            let now = clock()
            return ScanResult(
                window: ScanWindow(from: now, to: now),
                problems: [ScanProblem(place: error.place, reason: "\(error)")],
                consistency: "moving")
        }
        var notes = NoteProblems()
        let result = try await simple(held, [quarantinePrefix], versions: false) { batch in
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

    private func read(
        _ batch: [ListedObject], mayHoldNotes: Bool, _ problems: inout NoteProblems
    ) async throws -> [QuarantinedObject] {
        var readings: [HeldReading] = []
        var waiting: [(index: Int, spot: Spot, run: RunID)] = []
        for listed in batch {
            let rest = listed.key.bytes.dropFirst(quarantinePrefix.count)
            if rest.starts(with: CapabilityTrial.prefix) { continue }
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
            if key == Lease.key { continue }
            let object = QuarantinedObject(
                key: key, run: run, version: listed.version.withoutID)
            if mayHoldNotes, listed.version.size <= QuarantineNote.limit {
                waiting.append((readings.count, Spot(key: key, place: listed.key), run))
            }
            readings.append(.object(object))
        }
        problems.requests += waiting.count
        try await readNotes(waiting, &readings)
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

    private func readNotes(
        _ waiting: [(index: Int, spot: Spot, run: RunID)], _ readings: inout [HeldReading]
    ) async throws {
        await withTaskGroup(of: (Int, HeldReading?).self) { group in
            var rest = waiting[...]
            func start() {
                guard let next = rest.popFirst() else { return }
                group.addTask { (next.index, await self.note(next.spot, next.run)) }
            }
            for _ in 0..<concurrency { start() }
            for await (index, reading) in group {
                if let reading { readings[index] = reading }
                start()
            }
        }
    }

    // Nil where it is a copy, as it was listed.
    private func note(_ spot: Spot, _ run: RunID) async -> HeldReading? {
        do {
            switch try await content(of: spot) {
            case .nothing: return .nothing
            case .copy: return nil
            case .note(let note, _):
                return .object(QuarantinedObject(key: spot.key, run: run, version: note.version))
            }
        } catch {
            return .problem(ScanProblem(place: spot.place.text, reason: "\(error)"))
        }
    }
}
