import MooringDecisions
import MooringModel
import MooringPipeline
import Testing

/// A random app through audit, plan and repair until nothing is left to do, and then back.
struct AppWalk {
    /// What a walk saw: how often each kind, cause and strategy ended how, and why steps were left.
    struct Counts {
        var steps: [String: Int] = [:]
        var findings: [String: Int] = [:]
        var reasons: [String: Int] = [:]

        mutating func add(_ other: Counts) {
            steps.merge(other.steps, uniquingKeysWith: +)
            findings.merge(other.findings, uniquingKeysWith: +)
            reasons.merge(other.reasons, uniquingKeysWith: +)
        }
    }

    let draft: DraftApp
    let world: World
    /// Reads the stores.
    let look: () throws -> AppState
    private(set) var counts = Counts()
    private(set) var problems: [String] = []

    private var runs: [RunID] = []
    // Findings whose act waited for another sighting in the audit before.
    private var waited: Set<String> = []
    private var tried: [String: StepResult] = [:]
    private var touched = TouchedParts()
    private var removed: Set<AppState.Name> = []
    private var written: Set<AppState.Name> = []
    private var deleted: Set<AppState.Place> = []
    private var restored: Set<AppState.Place> = []

    /// After so many rounds a repair that begets another one has to have come to its end.
    private static let mostRounds = 6

    /// Why a step may be left undone where no device and no fault is about, as steps say it.
    private static let named = [
        "rows have this id", "several rows", "more than one row",
        "the record holds a key by now, or its field cannot name where the object lies",
        "the record holds another key now",
        "the record references another object, which is there",
        "the record holds another key, which may mean several objects",
        "a field of the record cannot be read, and may hold other keys",
        "a column that is not mapped names an object that is there",
        "a record references the object it is derived from", "a folder has this name",
        "the copy is no longer behind its authority",
        "the record names another parent now", "no such object lies in quarantine",
        // The owner names the same key in another place, which the look before the act protects.
        "a record references the object now",
        // A longer name, or a reference to a bucket that nobody configured, holds the key: what is
        // listed is known to an audit alone, and a repair that looks again keeps such objects.
        "a record holds the key now",
        // Before a record is removed every text of its row is looked for by name, under all levels.
        "a field of the record names an object that is there",
        // Of several steps on a row without a version, the next may wait for a new judgement.
        "the record was written since it was judged",
        // A thumbnail of a file that is to be ignored is planned and never carried out.
        "the object it is derived from is there, or is referenced",
    ]

    init(_ draft: DraftApp, _ world: World, look: @escaping () throws -> AppState) {
        (self.draft, self.world, self.look) = (draft, world, look)
    }

    /// Walks there and back.
    mutating func run() async throws {
        let initial = try look()
        if draft.isReal {
            // Here no time has to pass between sightings, and every audit would be one more.
            for _ in 0..<2 { _ = try await world.audit() }
        } else if draft.hasTwoRuns {
            // Where nothing tells when a record changed, what cannot be undone needs three.
            for _ in 0..<2 {
                _ = try await world.audit()
                world.clock.advance(Sample.grace + .hours(2))
            }
        }
        for round in 0..<Self.mostRounds {
            guard try await repair(round) else { break }
            if round == Self.mostRounds - 1 { problems.append("repairs come to no end") }
        }
        try await undo()
        compare(initial, try look())
    }

    /// Whether anything was left to do.
    private mutating func repair(_ round: Int) async throws -> Bool {
        let before = try look()
        let audit = try await world.audit()
        for finding in audit.findings where round == 0 {
            counts.findings[Self.label(finding), default: 0] += 1
        }
        defer {
            waited = Set(
                audit.findings.filter { $0.needs?.proof.contains("sighting") == true }.map(\.id))
        }
        let plan = try world.plan(audit)
        if round > 0 { problems += plan.steps.compactMap { again($0, in: before) } }
        guard plan.steps.contains(where: { tried[$0.key(Self.self)] == nil }) else { return false }
        let results = try await world.repair(plan)
        runs.append(try world.lastRun())
        let after = try look()
        problems += RepairCheck(
            draft, before, after, audit.findings, results,
            isFirstRun: round == 0 && !draft.hasTwoRuns
        ).problems().map { "round \(round): \($0)" }
        for result in results { note(result, audit.findings, in: before) }
        return true
    }

    private mutating func note(
        _ result: StepResult, _ findings: [Finding], in state: AppState
    ) {
        let step = result.step
        tried[step.key(Self.self)] = result
        let finding = findings.first { $0.id == step.finding }
        let label = finding.map(Self.label) ?? "none"
        counts.steps["\(label) \(step.strategy.rawValue) \(result.end)", default: 0] +=
            1
        guard result.outcome == .done else {
            counts.reasons[
                "\(step.strategy.rawValue) \(result.end): \(result.reason ?? "")",
                default: 0] += 1
            return
        }
        touched.add(step, NaiveModel(draft), in: state)
        if let bucket = step.bucket, let key = step.key, !step.mayWriteRecord {
            let place = AppState.Place(bucket: bucket, key: key.bytes)
            if step.strategy == .delete { deleted.insert(place) }
            if step.strategy == .restore { restored.insert(place) }
        }
        if let place = step.record, step.mayWriteRecord {
            let name = AppState.name(of: place)
            if step.strategy == .deleteRecord { removed.insert(name) }
            written.insert(name)
        }
    }

    private static func label(_ finding: Finding) -> String {
        "\(finding.kind.rawValue)/\(finding.cause?.rawValue ?? "-")"
    }

    // A second audit finds what the first repair had a named reason to leave, or what follows from
    // that repair, and nothing else.
    private func again(_ step: PlanStep, in state: AppState) -> String? {
        guard let result = tried[step.key(Self.self)] else {
            // What cannot be undone may get its third sighting only now.
            if waited.contains(step.finding) { return nil }
            return touched.explains(step) ? nil : "\(step.brief) follows from nothing that was done"
        }
        switch result.outcome {
        case .done: return "\(step.brief) is planned again after it was done"
        case .healed, .confirmed, .changed: return nil
        default:
            let reason = result.reason ?? ""
            let isNamed = Self.named.contains { reason.contains($0) }
            return isNamed
                ? nil : "\(step.brief) was left for no named reason: \(result.end) \(reason)"
        }
    }

    // MARK: Back

    private mutating func undo() async throws {
        for run in runs.reversed() {
            for result in try await world.undo(run) where result.outcome != .done {
                let isExcepted: Bool =
                    switch result.step.strategy {
                    case .delete, .deleteRecord, .restore: true
                    default:
                        result.step.record.map { removed.contains(AppState.name(of: $0)) } ?? false
                    }
                if !isExcepted || (result.reason ?? "").isEmpty {
                    problems.append(
                        "\(result.step.brief) was not undone: \(result.end) \(result.reason ?? "")")
                }
            }
        }
    }

    private mutating func compare(_ first: AppState, _ last: AppState) {
        var objects = first.objects
        for place in deleted { objects[place] = nil }
        for (place, thing) in first.held where restored.contains(place.place) {
            // Of several in quarantine one came back.
            if last.objects[place.place] == thing { objects[place.place] = thing }
        }
        if last.objects != objects {
            let wrong = Set(last.objects.keys).union(objects.keys).filter {
                last.objects[$0] != objects[$0]
            }
            problems.append("undo left other objects: \(wrong)")
        }
        let (old, new) = (first.records, last.records)
        for name in Set(old.keys).union(new.keys) where !removed.contains(name) {
            var (one, other) = (old[name] ?? [], new[name] ?? [])
            if written.contains(name), name.source != "phone" {
                for column in ["version", "changed"] {
                    for row in one.indices { one[row][column] = nil }
                    for row in other.indices { other[row][column] = nil }
                }
            }
            if one != other { problems.append("undo left \(name) as \(other), it was \(one)") }
        }
    }
}

extension StepResult {
    /// How the step ended, in a word.
    fileprivate var end: String { outcome?.rawValue ?? "open" }
}

extension PlanStep {
    /// The step in a few words.
    fileprivate var brief: String {
        let key = key.map { String(decoding: $0.bytes, as: UTF8.self).debugDescription } ?? ""
        let place = record.map { "\(AppState.name(of: $0)) \($0.field ?? "")" } ?? ""
        return "\(id) \(bucket ?? "") \(key) \(place)"
    }

    /// What tells a step from others in later plans.
    fileprivate func key(_: AppWalk.Type) -> String { "\(strategy.rawValue) \(finding)" }
}

/// What a repair wrote and moved, and what may follow from that.
struct TouchedParts {
    private var names: Set<AppState.Name> = []
    private var values: Set<[UInt8]> = []
    private var references: [NaiveModel.Reference] = []
    private var keys: Set<[UInt8]> = []

    mutating func add(_ step: PlanStep, _ naive: NaiveModel, in state: AppState) {
        if let key = step.key { keys.insert(key.bytes) }
        if let target = step.target { keys.insert(target.key.bytes) }
        guard step.mayWriteRecord, let place = step.record else { return }
        let name = AppState.name(of: place)
        names.insert(name)
        values.insert(place.identity.id.joined)
        references += naive.references(in: state).filter { $0.name.id == name.id }
    }

    /// Whether a step speaks of a record or object that a repair changed, or that one of them
    /// referred to.
    func explains(_ step: PlanStep) -> Bool {
        if let place = step.record {
            if names.contains(AppState.name(of: place)) { return true }
            // Copies follow their authority.
            if values.contains(place.identity.id.joined) { return true }
        }
        if let value = step.precondition.value, values.contains(value) { return true }
        let owners = step.precondition.owners.map {
            AppState.Name(source: $0.source, table: $0.model, id: $0.id.parts)
        }
        if owners.contains(where: names.contains) { return true }
        guard let bucket = step.bucket, let key = step.key?.bytes else { return false }
        let place = AppState.Place(bucket: bucket, key: key)
        let naive = NaiveModel.self
        // What a reference meant in one place it no longer means in another.
        if keys.contains(where: { naive.mayShareValue($0, key) }) { return true }
        // While a reference misses its file, every orphan of that file's name waits for it.
        if keys.contains(where: { Self.name(of: $0) == Self.name(of: key) }) { return true }
        let spelled = references.contains {
            $0.means(place) || naive.claims($0.value, key)
        }
        let value = step.precondition.value
        return spelled
            || value.map { value in keys.contains { naive.claims(value, $0) } } ?? false
    }

    private static func name(of key: [UInt8]) -> [UInt8]? {
        key.split(separator: UInt8(ascii: "/")).last.map(Array.init)
    }
}
