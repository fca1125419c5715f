import MooringModel

/// What may still end a difference between two records: the workflows of devices that no file takes
/// part in. The names are stable, and `Docs/RACES.md` lists them.
package enum RowWorkflow: CaseIterable, Sendable {
    /// A child was sent before its parent.
    case childFirst
    /// A parent went, and its children have not followed yet.
    case cascade
    /// A device sends its old copy of a parent and so creates it again.
    case writeBack
    /// A copy has not been brought up to date yet.
    case synchronise
    /// A device created a record and has not sent it yet.
    case createOffline
    /// A device wrote a record and has not sent that yet.
    case writeOffline

    /// The name by which explanations and `Docs/RACES.md` call it.
    package var name: String {
        switch self {
        case .childFirst: "create child before parent"
        case .cascade: "cascade"
        case .writeBack: WorkflowCatalogue.writeBack.name
        case .synchronise: "synchronise"
        case .createOffline: "create offline"
        case .writeOffline: "write offline"
        }
    }

    /// The name of the step that may still come.
    package var step: String {
        switch self {
        case .childFirst: "create parent"
        case .cascade: "delete child"
        case .writeBack: WorkflowCatalogue.writeBack.steps[1].name
        case .synchronise: "refresh copy"
        case .createOffline: "send record"
        case .writeOffline: "send write"
        }
    }

    /// The explanation that this step gives until a moment.
    func explanation(until: Instant) -> Explanation {
        Explanation(workflow: name, step: step, until: until)
    }
}
