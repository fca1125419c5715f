import MooringDecisions

/// Tells a sequence of choices as lines that a person reads: when, who, what, and with what answer.
package struct Narrator {
    /// The setting of what is told.
    let setting: Setting
    private var world: World
    private let start: Tick
    private let isSmall: Bool

    /// A narrator of what happens from a world on.
    package init(_ world: World, _ setting: Setting) {
        self.world = world
        self.setting = setting
        start = world.now
        isSmall = world.objects.count <= 2
    }

    /// The lines of a trace, the violation last. Of a large world only what concerns the key or
    /// record of the violation is told.
    package func tell(_ choices: [Choice]) -> [String] {
        let subject = subject(of: choices)
        var teller = self
        var lines: [String] = []
        for choice in choices {
            let before = teller.world
            guard teller.world.apply(choice, setting) else { continue }
            guard let text = teller.text(choice, before) else { continue }
            if isSmall || subject.isConcerned(choice, before, teller.world) {
                let time = String(before.now - start)
                let margin = String(repeating: " ", count: max(0, 4 - time.count))
                lines.append(margin + time + "  " + text)
            }
        }
        if teller.world.violation == nil { teller.world.checkEnd(setting) }
        if let violation = teller.world.violation {
            lines.append("      " + describe(violation))
        }
        return lines
    }

    /// What a violation says.
    package func describe(_ violation: Violation) -> String {
        switch violation {
        case .lost(let key, let record):
            "lost: \(name(record: record)) references \(name(key)), which the auditor removed "
                + "for good"
        case .nulled(let key, let record):
            "nulled: \(name(record: record)) lost its reference to \(name(key)) for good, whose "
                + "object was there"
        case .missing(let key):
            "missing: \(name(key)) is referenced and lies in quarantine, and nobody acts"
        case .disturbed(let key):
            "disturbed: the act on \(name(key)) went through, though its first look should have "
                + "stopped it"
        case .overlooked(let key):
            "overlooked: an act begins on \(name(key)), which was referenced when the listing ended"
        case .journal(let key, let text): "journal: of \(name(key)), " + text
        case .left(let text): "left: " + text
        }
    }

    /// A key as the lines name it.
    func name(_ key: Int) -> String {
        isSmall ? ["K", "L"][key] : "key \(key)"
    }

    private func name(record: Int) -> String { "record \(record)" }

    // MARK: What a trace is about

    private struct Subject {
        var keys: Set<Int> = []
        var records: Set<Int> = []

        func isConcerned(_ choice: Choice, _ before: World, _ after: World) -> Bool {
            switch choice {
            case .tick: return false
            case .device(let number), .stop(let number):
                let device = before.devices[number]
                return keys.contains(Int(device.key)) || records.contains(Int(device.record))
            case .begin(_, _, let record, let key):
                return keys.contains(key) || records.contains(record)
            case .auditor(let number), .fault(let number, _):
                if let active = before.auditors[number].active {
                    return keys.contains(active.act.key)
                }
                return before.auditors[number].phase != after.auditors[number].phase
            default: return true
            }
        }
    }

    private func subject(of choices: [Choice]) -> Subject {
        var end = world
        for choice in choices { _ = end.apply(choice, setting) }
        var subject = Subject()
        switch end.violation {
        case .lost(let key, let record), .nulled(let key, let record):
            subject.keys = [key]
            subject.records = [record]
        case .missing(let key), .disturbed(let key), .overlooked(let key), .journal(let key, _):
            subject.keys = [key]
        default: subject.keys = Set(world.objects.indices)
        }
        return subject
    }

    // MARK: One choice

    private func text(_ choice: Choice, _ before: World) -> String? {
        switch choice {
        case .tick: return nil
        case .begin(let number, let program, let record, let key):
            return "device \(number + 1) begins '\(setting.programs[program].name)' on "
                + "\(name(record: record)) and \(name(key))"
        case .stop(let number): return "device \(number + 1) crashes"
        case .device(let number): return device(number, before)
        case .auditor(let number): return auditor(number, before)
        case .fault(let number, let fault):
            return (auditor(number, before) ?? "") + ", but " + describe(fault)
        case .sweepAlone(let number):
            return "auditor \(number + 1) sweeps by what its earlier runs saw"
        case .crash(let number): return "auditor \(number + 1) dies"
        case .late: return "a late request is carried out"
        case .dropLate: return "a late request is lost for good"
        }
    }

    private func describe(_ fault: Fault) -> String {
        switch fault {
        case .lost: "the request is lost"
        case .answerLost: "the answer is lost"
        case .late: "no answer comes, and the request is still under way"
        }
    }

    private func device(_ number: Int, _ before: World) -> String {
        let device = before.devices[number]
        let program = setting.programs[Int(device.program)]
        let (key, record) = (name(Int(device.key)), name(record: Int(device.record)))
        let act =
            switch program.steps[device.step] {
            case .read: "reads \(record)"
            case .createRecord: "creates \(record)"
            case .createWithKey: "creates \(record) with \(key)"
            case .upload: "uploads \(key)"
            case .uploadSame: "uploads the same bytes at \(key)"
            case .uploadSecond: "uploads \(name(World.second(Int(device.key))))"
            case .beginMultipart: "begins a multipart upload of \(key)"
            case .completeMultipart: "completes the upload of \(key)"
            case .look: "sees that \(key) is there"
            case .associate: "sets the field of \(record) to \(key)"
            case .relink: "sees \(key) and sets the field of \(record) to it"
            case .append, .extend: "adds \(key) to the list of \(record)"
            case .replace: "writes its old list of \(record) with \(key) in it"
            case .detach, .withdraw: "takes \(key) out of \(record)"
            case .writeBack: "writes its old copy of \(record) back"
            case .remove: "removes \(key)"
            case .deleteRecord: "deletes \(record)"
            case .buryRecord: "marks \(record) as deleted"
            case .touch: "writes \(record)"
            case .pause: "waits"
            }
        let refused =
            world.devices[number].step == program.steps.count
                && device.step + 1 < program.steps.count ? ", which is refused" : ""
        return "device \(number + 1) (\(program.name)) \(act)\(refused)"
    }

    private func auditor(_ number: Int, _ before: World) -> String? {
        let who = before.auditors.count > 1 ? "auditor \(number + 1)" : "auditor"
        let then = before.auditors[number]
        let now = world.auditors[number]
        switch then.phase {
        case .idle: return "\(who) begins run \(now.run)"
        case .passA: return read(who, then, now, "pass A")
        case .passB: return read(who, then, now, "pass B")
        case .listing:
            return now.phase == .listing ? nil : "\(who) has listed the objects"
        case .quarantineListing: return "\(who) lists the quarantine" + plans(now)
        case .heads: return "\(who) looks at what was not listed" + plans(now)
        case .acting, .resuming: return act(who, then, now)
        }
    }

    private func read(
        _ who: String, _ then: Auditor, _ now: Auditor, _ pass: String
    ) -> String? {
        if isSmall {
            let count = world.records.count
            let what = count == 1 ? "the record" : name(record: then.cursor)
            return "\(who) reads \(what) (\(pass))" + plans(now)
        }
        return now.phase == then.phase ? nil : "\(who) has read the records (\(pass))" + plans(now)
    }

    // What a run that has just judged is going to do.
    private func plans(_ now: Auditor) -> String {
        guard now.phase == .acting || now.phase == .idle else { return "" }
        guard !now.acts.isEmpty else { return "; nothing is to be done" }
        let texts = now.acts.prefix(3).map { act in
            switch act {
            case .remove(let key, _, _): "remove \(name(key))"
            case .null(let record, let key, _):
                "take \(name(key)) out of \(name(record: record))"
            case .restore(let held): "restore \(name(Int(held.key)))"
            case .sweep(let held, _): "sweep \(name(Int(held.key)))"
            }
        }
        return "; it will " + texts.joined(separator: ", ") + (now.acts.count > 3 ? ", …" : "")
    }
}
