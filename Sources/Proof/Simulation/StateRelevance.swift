import MooringModel

/// What a setting's protocol, stores and devices can ever tell apart.
struct StateRelevance {
    /// Whether anything compares when an object was written.
    let births: Bool
    /// Whether anything compares when a record was written.
    let changes: Bool
    /// Whether anything asks for earlier sightings.
    let sightings: Bool
    /// Whether anything compares versions of records.
    let versions: Bool
    /// Whether there are multipart uploads, whose first sight counts.
    let firstSights: Bool
    /// How long quarantine keeps; 0 where there is nothing to wait for.
    let retention: Tick
    /// Whether references are nulled.
    let nulls: Bool
    /// G.
    let grace: Tick
    /// Whether the product may wait for less than G.
    let waits: Bool
    /// The longest wait of all.
    let cap: Tick
    /// The longest wait of a device, and one more tick.
    let deviceCap: Tick
    /// How the looks at the quarantine count; nil where nothing asks for them.
    let looks: LookRelevance?
    /// Whether a record may vanish, so that it counts who saw it.
    let vanishes: Bool
    /// Keys that the auditor does not look at need no more than their presence.
    let audited: Set<Int>?
    /// U, and how long a copy may be written back.
    let uploadWindow: Tick
    let copyWindow: Tick
    /// The devices' programs.
    let programs: [DeviceProgram]
    /// Of each device, by its next step: what a later step still uses.
    let needs: [[Needs]]

    /// What a device's later steps use.
    struct Needs {
        /// What it read, and when.
        let copy: Bool
        /// When it saw the object.
        let seenAt: Bool
        /// When it began its multipart upload.
        let beganAt: Bool
    }

    /// What matters in a setting.
    init(_ setting: Setting) {
        let audit = setting.audit
        births = audit.has(.grace)
        changes = audit.proof == .settledOwner || audit.proof == .either
        sightings = audit.proof == .secondSighting || audit.proof == .either
        versions = audit.nulls || setting.bounds.conflicts == .optimistic
        firstSights = setting.programs.contains { $0.steps.contains(.completeMultipart) }
        retention = setting.retention
        nulls = audit.nulls
        grace = setting.grace
        waits = setting.doubtsWaits
        cap = max(setting.grace, setting.retention)
        let copyWindow = setting.copyWindow == .max ? 0 : setting.copyWindow
        deviceCap = max(setting.uploadWindow, copyWindow, setting.multipartWindow) + 1
        vanishes = setting.programs.contains { $0.steps.contains(.deleteRecord) }
        looks = LookRelevance(setting, vanishes: vanishes)
        audited = setting.audited
        uploadWindow = setting.uploadWindow
        self.copyWindow = setting.copyWindow
        programs = setting.programs
        let isOptimistic = setting.bounds.conflicts == .optimistic
        needs = setting.programs.map { program in
            (0...program.steps.count).map { next in
                let rest = program.steps[next...]
                let writes = rest.contains { [.writeBack, .append, .replace].contains($0) }
                return Needs(
                    copy: writes || isOptimistic,
                    seenAt: rest.contains(where: \.needsSeenAt),
                    beganAt: rest.contains(.completeMultipart))
            }
        }
    }
}

/// What can be told apart of the looks at the quarantine.
struct LookRelevance {
    /// The gaps that are added up.
    let gaps: Int64
    /// Times beyond it do not differ, unless pass B itself takes as long.
    let cap: Int64
    /// Whether a look begins with pass B, and not with the scan.
    let beginsWithPassB: Bool

    /// What counts in a setting; nil where owners tell all.
    init?(_ setting: Setting, vanishes: Bool) {
        let isAsked = vanishes || !setting.untemplated.isEmpty || !setting.unmapped.isEmpty
        guard setting.countsLooks, isAsked, setting.audit.removes, setting.audit.has(.spreadLooks)
        else { return nil }
        gaps = Int64(setting.chain) - 1
        let copies = Int64(setting.grace - setting.uploadWindow)
        cap = 2 * (Int64(setting.chain) * copies + Int64(setting.uploadWindow) + 1)
        beginsWithPassB = setting.audit.has(.passB)
    }
}
