import MooringModel

/// One step of a device's workflow.
package enum DeviceStep: UInt8, Hashable, Sendable, CaseIterable {
    /// Reads the record: the copy that later steps write from.
    case read
    /// Creates the record without a key.
    case createRecord
    /// Uploads new content under the device's key.
    case upload
    /// Uploads the bytes again that were uploaded there last.
    case uploadSame
    /// Uploads a second object of the same association, which the first one waits for.
    case uploadSecond
    /// Begins a multipart upload, whose time the object will bear.
    case beginMultipart
    /// Completes it: the object becomes visible.
    case completeMultipart
    /// Looks whether the object is there, to associate it again.
    case look
    /// Sets the field to the device's key.
    case associate
    /// Creates the record with the key, or sets the field where it is there.
    case createWithKey
    /// Adds the key, and the second one where there is one, to the list as it is now.
    case extend
    /// Looks and sets the field at one instant.
    case relink
    /// Adds the key to the list as it was read.
    case append
    /// Puts the key in the place of another in the list as it was read.
    case replace
    /// Takes the key out of the field.
    case detach
    /// Takes the key out again while its upload is young.
    case withdraw
    /// Writes the record back as it was read.
    case writeBack
    /// Removes the object.
    case remove
    /// Deletes the record, or marks it as deleted.
    case deleteRecord
    /// Marks the record as deleted.
    case buryRecord
    /// Writes the record without changing its field.
    case touch
    /// Does nothing that records or objects show.
    case pause
}

/// A client that carries out workflows, and may stop in the middle of one for ever.
package struct Device: Hashable, Sendable {
    /// Its workflow, among the setting's; -1 for none.
    package var program: Int16 = -1
    /// The record it works on.
    package var record: Int16 = 0
    /// The key it works on.
    package var key: Int16 = 0
    /// The next step; of a device that has stopped, the number of steps.
    package var step = 0
    /// The record as it was read.
    package var copy = SimulatedRecord(.absent)
    /// When it was read.
    package var readAt: Tick = -1
    /// When the object became visible, or was looked at.
    package var seenAt: Tick = -1
    /// When the multipart upload began.
    package var beganAt: Tick = -1
    /// The version of the record as it was last read or written by this device.
    package var version: Int32 = 0

    /// A device without a workflow.
    package init() {}

    /// A device before the first step of a workflow.
    package init(program: Int, record: Int, key: Int) {
        self.program = Int16(program)
        self.record = Int16(record)
        self.key = Int16(key)
    }

    /// Whether its workflow uploads two objects.
    func hasSecond(_ setting: Setting) -> Bool {
        setting.programs[Int(program)].steps.contains(.uploadSecond)
    }
}

extension World {
    /// Whether a device's next step can still come within the bounds.
    func canStep(_ number: Int, _ setting: Setting) -> Bool {
        let device = devices[number]
        guard device.program >= 0 else { return false }
        let steps = setting.programs[Int(device.program)].steps
        guard device.step < steps.count else { return false }
        switch steps[device.step] {
        case .associate, .createWithKey, .extend, .uploadSecond, .withdraw:
            return now - device.seenAt <= setting.uploadWindow
        case .append, .replace:
            return now - device.seenAt <= setting.uploadWindow
                && now - device.readAt <= setting.copyWindow
        case .writeBack: return now - device.readAt <= setting.copyWindow
        case .completeMultipart: return now - device.beganAt <= setting.multipartWindow
        case .look, .relink: return objects[Int(device.key)] != nil
        default: return true
        }
    }

    /// Takes a device's next step.
    mutating func step(_ number: Int, _ setting: Setting) {
        var device = devices[number]
        let steps = setting.programs[Int(device.program)].steps
        let (record, key) = (Int(device.record), Int(device.key))
        switch steps[device.step] {
        case .read:
            device.copy = records[record]
            device.readAt = now
            device.version = records[record].version
        case .upload, .uploadSame:
            let isSame = steps[device.step] == .uploadSame && truth[key].content >= 0
            upload(
                key, content: isSame ? truth[key].content : serial + 1, born: storeTime,
                isMultipart: false)
            device.seenAt = now
        case .beginMultipart:
            device.beganAt = now
        case .completeMultipart:
            upload(
                key, content: serial + 1, born: device.beganAt - setting.skew, isMultipart: true)
            device.seenAt = now
        case .uploadSecond:
            upload(Self.second(key), content: serial + 1, born: storeTime, isMultipart: false)
        case .look:
            device.seenAt = now
        case .pause:
            break
        case .remove:
            removeAsDevice(key)
        default:
            if !writeStep(steps[device.step], &device, setting) { device.step = steps.count - 1 }
        }
        device.step += 1
        devices[number] = device
    }

    /// The key of the second object of an association, beside the first one's.
    static func second(_ key: Int) -> Int { key ^ 1 }

    // False where the store refused the write, which ends the workflow.
    private mutating func writeStep(
        _ step: DeviceStep, _ device: inout Device, _ setting: Setting
    ) -> Bool {
        let (record, key) = (Int(device.record), Int(device.key))
        let old = records[record]
        if setting.bounds.conflicts == .optimistic, device.version != 0,
            device.version != old.version
        {
            return false
        }
        if old.state != .present, step != .createRecord, step != .createWithKey,
            !setting.upserts || Self.needPresence.contains(step)
        {
            return false
        }
        let (state, keys) = written(step, key: key, old: old, device: device, setting)
        let decides = [.associate, .relink, .detach, .withdraw].contains(step)
        write(record, state, keys, decides: decides && old.keys.count <= 1)
        device.version = records[record].version
        return true
    }

    private static let needPresence: [DeviceStep] = [
        .deleteRecord, .buryRecord, .detach, .withdraw, .touch,
    ]

    private func written(
        _ step: DeviceStep, key: Int, old: SimulatedRecord, device: Device, _ setting: Setting
    ) -> (SimulatedRecord.State, KeyList) {
        var keys = old.keys
        switch step {
        case .associate, .relink, .createWithKey:
            return (.present, KeyList(key))
        case .extend:
            for added in [key, Self.second(key)]
            where objects.indices.contains(added) && !keys.contains(added) {
                if added == key || device.hasSecond(setting) { keys.append(added) }
            }
            return (.present, keys)
        case .append, .replace:
            keys = device.copy.keys
            if step == .replace, keys.count > 0 { keys.remove(keys[0]) }
            if !keys.contains(key) { keys.append(key) }
            return (.present, keys)
        case .detach, .withdraw:
            keys.remove(key)
            return (.present, keys)
        case .writeBack:
            keys = device.copy.keys
            // Automerge concatenates lists, and keeps what stands in any other field that has a
            // value.
            if setting.bounds.conflicts == .automerge {
                let isList = setting.lists.contains(Int(device.record))
                if !isList, old.keys.count > 0 { keys = old.keys }
                for index in 0..<old.keys.count where !keys.contains(old.keys[index]) {
                    keys.append(old.keys[index])
                }
            }
            return (device.copy.state == .absent ? old.state : device.copy.state, keys)
        case .deleteRecord: return (.absent, KeyList())
        case .buryRecord: return (.tombstone, keys)
        case .createRecord: return old.state == .present ? (.present, keys) : (.present, KeyList())
        default: return (old.state, keys)
        }
    }
}
