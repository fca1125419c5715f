/// The device scenarios of the tables: one record, one key, one or two devices.
package enum TableScenario: String, Sendable, CaseIterable {
    case create, reuse
    case staleWriteBack = "stale-write-back"
    case replaceStale = "replace-stale"
    case removeReupload = "remove-reupload"
    case deleteReplace = "delete-replace"
    case relink, heal

    /// The scenarios of the table of removals.
    package static let removals: [TableScenario] = [
        .create, .reuse, .staleWriteBack, .replaceStale, .removeReupload, .deleteReplace, .relink,
    ]
    /// The scenarios of the table of nullings.
    package static let nullings: [TableScenario] = [
        .create, .removeReupload, .deleteReplace, .heal,
    ]

    /// K, which the auditor looks at, and L, which replaces it.
    private static let (k, l) = (0, 1)

    /// What the devices do.
    package var programs: [DeviceProgram] {
        let (k, l) = (Self.k, Self.l)
        return switch self {
        case .create, .reuse, .heal: [DeviceProgram(rawValue, [.upload, .associate], key: k)]
        case .staleWriteBack:
            [
                DeviceProgram("clear", [.read, .detach], key: k),
                DeviceProgram("write back", [.read, .writeBack], key: k),
            ]
        case .replaceStale:
            [
                DeviceProgram("replace", [.upload, .associate], key: l),
                DeviceProgram("write back", [.read, .writeBack], key: k),
            ]
        case .removeReupload:
            [
                DeviceProgram("detach and delete", [.read, .detach, .remove], key: k),
                DeviceProgram("same key again", [.upload, .associate], key: k),
            ]
        case .deleteReplace:
            [
                DeviceProgram("delete both", [.read, .remove, .deleteRecord], key: k),
                DeviceProgram("replace", [.upload, .associate], key: l),
            ]
        case .relink:
            [
                DeviceProgram("relink", [.detach, .relink, .detach], key: k),
                DeviceProgram("write back", [.read, .writeBack], key: k),
            ]
        }
    }

    /// How the world begins: everything in it is older than any wait.
    package func world(_ setting: Setting) -> World {
        let referenced = self != .create && self != .reuse
        let present = self != .create && self != .heal
        let old = SimulatedObject(serial: 1, content: 1, born: 0)
        return World(
            records: [SimulatedRecord(.present, referenced ? KeyList(Self.k) : KeyList())],
            objects: [present ? old : nil, nil], owners: [0, 0],
            devices: setting.programs.count, setting: setting)
    }

    /// What exploring the scenario under a protocol finds.
    package func explore(_ audit: AuditProtocol) -> Explorer.Result {
        var setting = Setting()
        setting.audit = audit
        setting.audited = [Self.k]
        setting.page = 2
        setting.programs = programs
        return Explorer(world(setting), setting).run()
    }
}
