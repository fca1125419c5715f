/// What a policy may do about a finding.
package enum Strategy: String, Hashable, Sendable, Codable, CaseIterable {
    case keep, requery, tag, quarantine, delete, relink, nullify, restore, repoint, abort
    case deleteRecord = "delete-record"
    /// Takes Mooring's own tag off what is no orphan any more, whatever the policy says.
    case untag

    /// Those that a policy may name.
    package static let allCases: [Strategy] = [
        .keep, .requery, .tag, .quarantine, .delete, .relink, .nullify, .restore, .repoint, .abort,
        .deleteRecord,
    ]
}

extension Strategy {
    /// What a strategy changes.
    package enum Subject: Hashable, Sendable {
        case nothing, object, upload, record
    }

    /// What a strategy takes from where the app looks for it. A tagged object counts as taken,
    /// since the bucket's own rule removes it.
    package enum Loss: Hashable, Sendable {
        case nothing, object, upload, reference, row
    }

    /// Whether what was taken comes back.
    package enum Reversal: Hashable, Sendable {
        /// `mooring undo` brings it back.
        case undo
        /// Nothing brings it back.
        case none
        /// Nothing was taken.
        case needless
    }

    /// What the stores have to offer.
    package enum Need: Hashable, Sendable {
        /// Sources that tell what is referenced now, so no copies.
        case liveSources
        /// Buckets that are no lists.
        case liveBuckets
        /// Sources whose records can be written.
        case recordWrites
        case tags, uploads
        /// Buckets whose trial passed.
        case trial
    }

    /// One row of the table of strategies.
    package struct Traits: Hashable, Sendable {
        /// What is changed.
        package let subject: Subject
        /// What is taken away.
        package let removes: Loss
        /// The way back.
        package let reversal: Reversal
        /// What the stores have to offer.
        package let needs: Set<Need>

        fileprivate init(
            _ subject: Subject, removes: Loss = .nothing, _ reversal: Reversal = .needless,
            needs: Set<Need> = []
        ) {
            self.subject = subject
            self.removes = removes
            self.reversal = reversal
            self.needs = needs
        }
    }

    /// The strategy's row: whoever has to know what a strategy does asks here.
    package var traits: Traits {
        switch self {
        case .keep: Traits(.nothing)
        // Of a reference nothing is changed, of a copy its record.
        case .requery: Traits(.record, needs: [.liveSources, .liveBuckets])
        case .tag:
            Traits(
                .object, removes: .object, .undo,
                needs: [.liveSources, .liveBuckets, .tags, .trial])
        case .untag: Traits(.object)
        case .quarantine:
            Traits(.object, removes: .object, .undo, needs: [.liveSources, .liveBuckets, .trial])
        case .delete:
            Traits(.object, removes: .object, .none, needs: [.liveSources, .liveBuckets, .trial])
        // What lies in quarantine is back for good; what was deleted can be hidden again.
        case .restore: Traits(.object, needs: [.liveBuckets])
        case .abort:
            Traits(.upload, removes: .upload, .none, needs: [.liveBuckets, .uploads])
        case .relink: Traits(.record, .undo, needs: [.recordWrites, .liveBuckets])
        case .nullify, .repoint:
            Traits(.record, removes: .reference, .undo, needs: [.recordWrites, .liveBuckets])
        case .deleteRecord:
            Traits(.record, removes: .row, .none, needs: [.recordWrites, .liveBuckets])
        }
    }
}

extension Strategy {
    /// Whether an object or a record may be gone for good by it: at once, or when the bucket's own
    /// rule removes what is tagged.
    package var mayLoseForGood: Bool {
        [.object, .row].contains(traits.removes)
            && (traits.reversal == .none || traits.needs.contains(.tags))
    }
}

extension PlanStep {
    /// Whether it writes a record; asking for a reference once more writes none.
    package var writesRecord: Bool {
        strategy.traits.subject == .record && (strategy != .requery || key == nil)
    }

    /// Whether it takes an object away, or marks it to be taken.
    package var takesObject: Bool { strategy.traits.removes == .object }

    /// Whether nothing takes the step back.
    package var isForGood: Bool { strategy.traits.reversal == .none }

    /// Whether `mooring undo` takes the step back.
    package var canBeUndone: Bool {
        switch strategy {
        case .restore: precondition.basis.marker != nil
        case .requery: writesRecord
        default: strategy.traits.reversal == .undo
        }
    }
}
