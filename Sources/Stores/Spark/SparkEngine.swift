import MooringFiles
package import MooringModel
import MooringText
import Synchronization

/// The engine `spark`: Spark leaves out of both sides what is plainly matched, and everything else
/// is read and judged here.
package final class SparkEngine: Narrowing {
    /// That of the configuration.
    package let name = "spark"
    private let place: SparkPlace
    private let records: [any RecordSource]
    private let buckets: [any Bucket]
    private let job: SparkRun
    private let planning: @Sendable () async -> SparkPlan
    private let state = Mutex(State())

    private struct State {
        var plan = SparkPlan.nothing
        var folder: WorkFolder?
        var stage = 0
        // What of the first stage every later one is compared with.
        var first: SparkFacts?
        var isWhole = false
        // Of all jobs so far; nil where one did not tell.
        var cost: SparkCost? = SparkCost()
    }

    /// An engine over a job's sources and buckets, in the configuration's order. What it does is
    /// planned when it begins.
    package init(
        _ planning: @escaping @Sendable () async -> SparkPlan, at place: SparkPlace,
        records: [any RecordSource], buckets: [any Bucket], telling job: SparkJob
    ) {
        (self.planning, self.place) = (planning, place)
        (self.records, self.buckets) = (records, buckets)
        self.job = SparkRun(
            place: place, environment: job.environment, isInterrupted: job.isInterrupted,
            advance: job.advance)
    }

    /// Has Spark read and join both sides.
    package func begin() async throws -> Narrowed {
        let (plan, sums) = await planning().summed()
        return try await begin(plan, sums)
    }

    private func begin(_ plan: SparkPlan, _ sums: [String: RowSum]) async throws -> Narrowed {
        state.withLock { $0.plan = plan }
        guard plan.isNeeded else {
            return whole(["engine spark left nothing out: " + reasons.joined(separator: "; ")])
        }
        guard SQLText.isPlain(path: place.work) else {
            throw NarrowingFailure(
                found: "spark.work is \(place.work.printable), and Spark takes a character of that "
                    + "for a pattern, or cannot write it",
                next: "name a folder of ASCII letters, digits and the like")
        }
        // What an earlier attempt left is of no use.
        state.withLock { $0.folder?.remove() }
        let folder = try WorkFolder(below: place.work)
        state.withLock { ($0.folder, $0.stage) = (folder, 1) }
        try await run(script(folder).first, 1, folder)
        let facts = try SparkFacts(folder, stage: 1)
        state.withLock { $0.first = facts }
        if let (file, reason) = try misread(facts, sums) {
            let rest = plan.without(file, reason)
            // What nobody else reads is read again without that.
            if rest.hasColumns { return try await begin(rest, sums) }
            return whole(["engine spark left nothing out: \(reason)"])
        }
        return try narrowed(folder, facts, facts, stage: 1)
    }

    /// Has Spark take back in what needs speak of.
    package func widen(by needs: NarrowingNeeds) async throws -> Narrowed {
        try await next { script, stage, folder in
            let name = "needs-\(stage)"
            let size = try folder.write(Self.lines(of: needs), to: name)
            let statements = script.widening(
                stage: stage, needs: needs, file: "\(folder.path)/\(name)")
            return (statements, Asked(lines: needs.count, bytes: size - needs.count))
        }
    }

    // What a stage is asked, in lines without their ends.
    private struct Asked {
        var lines = 0
        var bytes = 0
    }

    // A stage behind another one.
    private func next(
        _ make: (SparkScript, Int, WorkFolder) throws -> (statements: [String], asked: Asked)
    ) async throws -> Narrowed {
        let (folder, stage, first) = state.withLock {
            $0.stage += 1
            return ($0.folder, $0.stage, $0.first)
        }
        guard let folder, let first else { return whole([]) }
        let (statements, asked) = try make(script(folder), stage, folder)
        try await run(statements, stage, folder)
        let facts = try SparkFacts(folder, stage: stage)
        try check(facts, first, asked, folder)
        return try narrowed(folder, facts, first, stage: stage)
    }

    // A need that is lost is not asked for again, and a row that is lost is met by none.
    private func check(
        _ facts: SparkFacts, _ first: SparkFacts, _ asked: Asked, _ folder: WorkFolder
    ) throws {
        let sides =
            plan.tables.map { ("rows", $0.model) } + plan.listings.map { ("objects", $0.bucket) }
        let isWhole = sides.allSatisfy { facts.all($0.0, $0.1) == first.all($0.0, $0.1) }
        guard isWhole, facts.sum("needs", 0) == (asked.lines, asked.bytes) else {
            throw NarrowingFailure(
                found: "Spark read other \(isWhole ? "needs" : "rows") in \(folder.path) than "
                    + "were written there",
                next: "see that spark.work is one folder to this machine and to every part of "
                    + "Spark, that no setting of Spark's leaves out long lines, and run again")
        }
    }

    /// Has Spark take everything back in, where it reads what nobody else does.
    package func whole() async throws -> Narrowed {
        guard plan.hasColumns else { return whole([]) }
        return try await next { script, stage, _ in (script.whole(stage: stage), Asked()) }
    }

    /// Removes the run's folder; of a job that failed what it said stays.
    package func end() async {
        state.withLock {
            if $0.isWhole || $0.stage == 0 {
                $0.folder?.remove()
            } else {
                $0.folder?.removeButLogs()
            }
            $0.folder = nil
        }
    }

    private var plan: SparkPlan { state.withLock { $0.plan } }

    private func script(_ folder: WorkFolder) -> SparkScript {
        var script = SparkScript(
            tables: plan.tables, listings: plan.listings, levels: plan.levels,
            work: folder.path, mounts: place.mounts)
        script.needsSent = place.needsSent
        return script
    }

    private func run(_ statements: [String], _ stage: Int, _ folder: WorkFolder) async throws {
        state.withLock { $0.isWhole = false }
        let program = SparkProgram.text(statements, secrets: place.secrets)
        try folder.write([Array(program.utf8)], to: "stage-\(stage).py")
        let cost = try await job.run("stage-\(stage)", in: folder.path)
        state.withLock { state in
            state.cost = state.cost.flatMap { sum in cost.map { sum + $0 } }
        }
    }

    private static func lines(of needs: NarrowingNeeds) -> some Sequence<[UInt8]> {
        needs.lazy.map { need in
            Array(
                "\(need.kind.rawValue) \(need.number) \(need.enough ?? -1) ".utf8)
                + Array(SQLText.digits(need.bytes).utf8) + [UInt8(ascii: "\n")]
        }
    }

    // MARK: What it says

    private var reasons: [String] { plan.rest.map(\.words) }

    private var cost: [String] {
        state.withLock { $0.stage == 0 ? [] : [$0.cost?.words].compactMap(\.self) }
    }

    private func whole(_ notes: [String]) -> Narrowed {
        state.withLock { $0.isWhole = true }
        let (records, buckets) = readHere
        return Narrowed(records: records, buckets: buckets, notes: notes + cost)
    }

    // Both sides as they are read here; what nobody reads says so.
    private var readHere: ([any RecordSource], [any Bucket]) {
        var (records, buckets) = (records, buckets)
        for rest in plan.rest {
            guard let path = rest.unread else { continue }
            switch rest.side {
            case .bucket(let number):
                buckets[number] = UnreadInventory(
                    name: buckets[number].name, manifest: path, reason: rest.reason)
            case .records(let name):
                guard let number = records.firstIndex(where: { $0.name == name }) else { continue }
                records[number] = ParquetSource(name: name, path: path, reason: rest.reason)
            }
        }
        return (records, buckets)
    }

    // What was read has to be what lies there: the bytes and lines were counted apart from what was
    // made of them. Says why nothing can be left out; throws where a part is missing.
    private func misread(
        _ facts: SparkFacts, _ sums: [String: RowSum]
    ) throws -> (SparkFile, String)? {
        let sides =
            plan.tables.map { ($0.file, "files", "lines", "rows", $0.model) }
            + plan.listings.map { ($0.file, "listings", "listed", "objects", $0.bucket) }
        for (file, found, all, kept, number) in sides {
            try check(file, facts.all(found, number))
            let (lines, size) = facts.sum(all, number)
            let bytes = Int64(size)
            let reason =
                try sums[file.path].map { try misread(file, bytes, lines, $0) }
                ?? misread(file, bytes + Int64(lines))
            if let reason { return (file, reason) }
            let rows = facts.sum(kept, number).lines
            if lines != rows + (file.header == nil ? 0 : 1) {
                return (file, "\(file.path.printable) has another number of headers than one")
            }
        }
        return nil
    }

    // By a name of spark.mounts Spark may find other files than lie here. Of files without a byte
    // it tells nothing.
    private func check(_ file: SparkFile, _ found: [SparkFacts.Part]) throws {
        let paths = file.parts.isEmpty ? [file.path] : file.parts
        var faces: [SparkFacts.Part] = []
        for (number, path) in paths.enumerated() {
            let face: FileFace
            do throws(ReadFailure) { face = try FileFace(ofNoLines: path) } catch {
                throw NarrowingFailure(
                    found: "\(path.printable) \(error.reason)",
                    next: "run again, when nobody writes to it")
            }
            guard face.size > 0 else { continue }
            let changed = face.modified.nanoseconds - face.modified.nanosecondOfSecond
            faces.append(
                SparkFacts.Part(
                    part: paths.count > 1 ? file.names[number] : "0",
                    value: "\(face.size)@\(changed / 1_000_000_000)"))
        }
        guard Set(faces) == Set(found), faces.count == found.count else {
            throw NarrowingFailure(
                found: "Spark finds other files for \(file.path.printable) than this machine: of "
                    + "another size, or changed at another time",
                next: "run again, when nobody writes to them, and see that spark.mounts names the "
                    + "very folders that this machine mounts")
        }
    }

    // Of files that were read here too, for their sums.
    private func misread(
        _ file: SparkFile, _ bytes: Int64, _ lines: Int, _ sum: RowSum
    ) throws -> String? {
        guard bytes == sum.bytes, lines == sum.lines else {
            let (read, are) =
                !file.hasColumns ? (" of \(bytes) bytes", " of \(sum.bytes)") : ("", "")
            throw NarrowingFailure(
                found: "Spark read \(lines) rows\(read) of the files that "
                    + "\(file.path.printable) names, which have \(sum.lines)\(are)",
                next: "run again, when nobody writes to them")
        }
        return nil
    }

    // Of a file whose size alone is known.
    private func misread(_ file: SparkFile, _ bytes: Int64) throws -> String? {
        let size = plan.files[file.path]?.face.size ?? 0
        if file.path.hasSuffix(".gz") || bytes == size { return nil }
        guard bytes == size + 1 else {
            throw NarrowingFailure(
                found: "Spark read \(bytes) bytes of \(file.path.printable), which has \(size)",
                next: "run again, when nobody writes to it")
        }
        // Whether a last row is cut off can be told by its end alone, which no line has here.
        return "\(file.path.printable) does not end with a line break"
    }

    // MARK: What it hands on

    private func narrowed(
        _ folder: WorkFolder, _ facts: SparkFacts, _ first: SparkFacts, stage: Int
    ) throws -> Narrowed {
        var (records, buckets) = readHere
        var matchedRecords: [Int: MatchedRecords] = [:]
        var matchedObjects: [Int: MatchedObjects] = [:]
        var left = (rows: 0, objects: 0)
        let reading = try HandedOn(folder, plan, stage: stage)
        for table in plan.tables where !Self.isOdd(first, "rows", table.model) {
            let matched = MatchedRecords(facts, table, buckets: plan.listings.map(\.bucket))
            let rows = first.sum("rows", table.model).lines - matched.records
            guard let place = records.firstIndex(where: { $0.name == table.source }) else {
                continue
            }
            records[place] = try reading.records(table, count: rows)
            matchedRecords[table.model] = matched
            left.rows += matched.records
        }
        for listing in plan.listings where !Self.isOdd(first, "objects", listing.bucket) {
            let gone = facts.count("gone", listing.bucket)
            let count = first.sum("objects", listing.bucket).lines - gone
            buckets[listing.bucket] = try reading.objects(listing, count: count)
            var matched = MatchedObjects()
            matched.objects = gone
            matched.bytes = Int64(facts.count("bytes", listing.bucket))
            matchedObjects[listing.bucket] = matched
            left.objects += gone
        }
        try check(matchedRecords, matchedObjects)
        if left == (0, 0) { (matchedRecords, matchedObjects) = ([:], [:]) }
        state.withLock { $0.isWhole = true }
        return Narrowed(
            records: records, buckets: buckets, matchedRecords: matchedRecords,
            matchedObjects: matchedObjects,
            notes: [
                "engine spark matched \(left.rows) records and \(left.objects) objects in "
                    + "\(stage) \(stage == 1 ? "stage" : "stages"), and handed on the others"
            ] + cost + reasons)
    }

    // Each reference that was left out means one object that was.
    private func check(
        _ records: [Int: MatchedRecords], _ objects: [Int: MatchedObjects]
    ) throws {
        for (bucket, matched) in objects {
            let references = records.values.reduce(0) { $0 + ($1.buckets[bucket] ?? 0) }
            guard references == matched.objects else {
                throw NarrowingFailure(
                    found: "the job left out \(matched.objects) objects of a bucket and "
                        + "\(references) references to it",
                    next: "run again, or take --engine native")
            }
        }
    }

    // Whether quotes are left open in some line, so that a row may have several.
    private static func isOdd(_ facts: SparkFacts, _ name: String, _ number: Int) -> Bool {
        facts.all(name, number).first.map { $0.part != "0" } ?? false
    }
}

/// What of a process an engine needs.
package struct SparkJob: Sendable {
    fileprivate let environment: [String: String]
    fileprivate let isInterrupted: @Sendable () -> Bool
    fileprivate let advance: @Sendable (Int) -> Void

    /// The variables that Spark is started with, whether somebody wants an end, and what is told
    /// of statements that are done.
    package init(
        environment: [String: String], isInterrupted: @escaping @Sendable () -> Bool,
        advance: @escaping @Sendable (Int) -> Void
    ) {
        self.environment = environment
        (self.isInterrupted, self.advance) = (isInterrupted, advance)
    }
}
