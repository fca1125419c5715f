package import MooringDecisions

/// A workflow as one device runs it: steps on a record, with the key that they upload or take out.
package struct DeviceProgram: Hashable, Sendable {
    /// What kind of field a workflow is run on.
    package enum Target: Sendable {
        /// A field with one key.
        case scalar
        /// A list of keys.
        case list
        /// A field without a template, which holds other records' keys.
        case link
    }

    /// Which key a device chooses for it.
    package enum Means: Sendable {
        /// One of the record's own.
        case ownKey
        /// One that the record holds, if it holds any.
        case heldKey
        /// Anybody's.
        case anyKey
    }

    /// The name of the workflow.
    package var name: String
    /// The steps, in order.
    package var steps: [DeviceStep]
    /// The record, where the scenario names one.
    package var record: Int
    /// The key that it uploads, associates or takes out, where the scenario names one.
    package var key: Int
    /// The field that it is run on.
    package var target = Target.scalar
    /// The key that it is run with.
    package var means = Means.ownKey

    /// A workflow.
    package init(_ name: String, _ steps: [DeviceStep], record: Int = 0, key: Int = 0) {
        self.name = name
        self.steps = steps
        self.record = record
        self.key = key
    }

    private init(
        _ name: String, _ steps: [DeviceStep], on target: Target, _ means: Means = .heldKey
    ) {
        self.init(name, steps)
        self.target = target
        self.means = means
    }

    /// A workflow of the catalogue on a field of a shape; nil where it is not run on that, or
    /// changes nothing that the simulated stores show.
    package init?(_ workflow: Workflow, on target: Target) {
        let shapes: [FieldShape] = target == .scalar ? [.scalar, .complex] : [.list]
        guard target != .link, !Set(shapes).isDisjoint(with: workflow.shapes) else { return nil }
        let uploads = workflow.steps.contains { $0.act == .upload }
        let steps = workflow.steps.flatMap { Self.steps(for: $0.act, on: target, uploads) }
        guard steps.contains(where: { $0 != .pause && $0 != .read }) else { return nil }
        let isAgain = workflow.beginsReferenced || workflow == WorkflowCatalogue.sameKeyAgain
        self.init(workflow.name, steps, on: target, isAgain ? .heldKey : .ownKey)
    }

    private static func steps(
        for act: DeviceAct, on target: Target, _ uploads: Bool
    ) -> [DeviceStep] {
        switch act {
        case .createRecord: [.createRecord]
        case .createRecordWithKey: [.createWithKey]
        case .readRecord: [.read]
        case .upload, .uploadAgain: [.upload]
        case .uploadSeveral: [.upload, .uploadSecond]
        case .uploadParts: [.beginMultipart]
        case .complete: [.completeMultipart]
        case .setKey: [target == .list ? .extend : .associate]
        case .appendToList: [.append]
        case .setFromCopy: [uploads ? .replace : .writeBack]
        case .setNull: [.detach]
        case .remove: [.remove]
        case .deleteRecord: [.deleteRecord]
        case .download, .keepInOutbox, .changeIdentity: [.pause]
        }
    }

    /// The workflows that devices of a simulation by seed choose from: the whole catalogue, and
    /// what it leaves open: associating an existing object again, here or in another record,
    /// tombstones, the same bytes again, and writes that change nothing.
    package static let everyday: [DeviceProgram] =
        WorkflowCatalogue.all.flatMap { workflow in
            [Target.scalar, .list].compactMap { DeviceProgram(workflow, on: $0) }
        } + [
            DeviceProgram("same bytes again", [.uploadSame, .associate], on: .scalar),
            DeviceProgram("heal", [.upload, .pause], on: .scalar),
            DeviceProgram("heal", [.upload, .pause], on: .list),
            DeviceProgram("relink", [.detach, .look, .associate], on: .scalar),
            DeviceProgram("relink", [.detach, .look, .extend], on: .list),
            DeviceProgram("bury the record", [.buryRecord], on: .scalar),
            DeviceProgram("touch", [.touch], on: .scalar),
            DeviceProgram("touch", [.touch], on: .list),
            DeviceProgram("link", [.look, .associate], on: .link, .anyKey),
            DeviceProgram("link", [.look, .pause, .associate], on: .link, .anyKey),
            DeviceProgram("unlink", [.detach], on: .link),
            DeviceProgram("write back", [.read, .writeBack], on: .link),
        ]

    /// Where the workflows for a kind of field stand among `everyday`.
    static func places(of target: Target) -> [Int] {
        switch target {
        case .scalar: scalars
        case .list: lists
        case .link: links
        }
    }

    private static let scalars = everyday.indices.filter { everyday[$0].target == .scalar }
    private static let lists = everyday.indices.filter { everyday[$0].target == .list }
    private static let links = everyday.indices.filter { everyday[$0].target == .link }
}

extension DeviceStep {
    /// Whether it has to come within U of the moment at which the object was seen.
    var needsSeenAt: Bool {
        switch self {
        case .associate, .append, .replace, .createWithKey, .extend, .uploadSecond, .withdraw:
            true
        default: false
        }
    }
}
