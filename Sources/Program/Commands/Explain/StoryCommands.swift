import MooringDecisions
import MooringModel
import MooringPipeline
import MooringReporting

/// What can be done about one object or record now, as commands.
enum StoryCommands {
    /// The commands, of which none changes a store as it stands; `object` is what the stores hold
    /// of an object now, nil of a record.
    static func next(
        _ latest: Timeline.Sight?, _ repairs: [JournalEntry], _ object: SubjectLook.Object?
    ) -> [String] {
        var commands: [String] = []
        if let last = repairs.lastToUndo {
            commands.append(
                "mooring undo \(last.run.text) --step \(last.step.id)   # takes back: "
                    + last.step.strategy.rawValue)
        } else if repairs.isEmpty, object?.held.isEmpty == false {
            commands.append(
                "mooring ledger rebuild   # reads the quarantine back, so that mooring undo can "
                    + "restore it")
        }
        // What was done behind a finding made it history.
        guard let latest, repairs.allSatisfy({ $0.run < latest.run }),
            latest.finding.verdict == .settled, latest.finding.needs == nil,
            let action = latest.finding.action, action.traits.subject != .nothing
        else { return commands }
        return commands + ["mooring plan   # to repair it: " + action.rawValue]
    }
}
