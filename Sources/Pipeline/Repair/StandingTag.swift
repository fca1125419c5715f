import MooringLedger
import MooringModel

/// A tag that a run of this ledger put on an object.
struct StandingTag: Sendable {
    /// The number of its journal entry.
    let number: Int64
    /// The run, which is the tag's value.
    let run: RunID
    /// Whether it was taken off since.
    let isOff: Bool

    /// Those of an object, in the order in which they were put on.
    static func all(of place: ActPlace, _ ledger: Ledger) throws -> [StandingTag] {
        let entries = try ledger.journal(about: place.bucket.name, key: place.key)
        let undone = Set(entries.filter { $0.outcome == .done }.compactMap(\.undoes))
        return entries.filter(\.isTagging).map {
            StandingTag(number: $0.number, run: $0.run, isOff: undone.contains($0.number))
        }
    }
}

extension JournalEntry {
    /// Whether it put a tag on an object that is known still.
    var isTagging: Bool {
        step.strategy == .tag && outcome == .done && undoes == nil && erasedBy == nil
    }
}

/// The objects of a plan that were tagged once and must not be any more when their steps act.
///
/// Also those whose tag is noted as off: one that lay under a delete marker comes back with it.
struct TaggedPlaces {
    private var taggings: [ObjectPlace: PlanStep] = [:]

    /// Those that a plan's steps take into use.
    init(of steps: [PlanStep], _ ledger: Ledger) throws {
        let wanted = Set(steps.compactMap(Self.used))
        guard !wanted.isEmpty else { return }
        let found = try ledger.journal(doneBy: [.tag]) { entry -> (ObjectPlace, PlanStep)? in
            guard entry.isTagging, let place = entry.step.objectPlace, wanted.contains(place)
            else { return nil }
            return (place, entry.step)
        }
        for (place, step) in found { taggings[place] = step }
    }

    /// The step that tagged the object which a step takes into use; nil where none did.
    func place(of step: PlanStep) -> PlanStep? { Self.used(step).flatMap { taggings[$0] } }

    private static func used(_ step: PlanStep) -> ObjectPlace? {
        switch step.strategy {
        case .relink, .restore, .quarantine: step.objectPlace
        case .repoint: step.target
        default: nil
        }
    }
}

extension PlanStep {
    /// Where its object lies; nil of a step about records alone.
    var objectPlace: ObjectPlace? {
        guard let bucket, let key else { return nil }
        return ObjectPlace(bucket: bucket, key: key)
    }
}
