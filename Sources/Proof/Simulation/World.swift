/// The keys that a record holds: at most eight, in order. A value without a heap.
package struct KeyList: Hashable, Sendable {
    private var storage: SIMD8<Int16> = SIMD8(repeating: -1)
    /// How many.
    package private(set) var count = 0

    /// The most keys a record holds.
    package static let capacity = 8

    /// These keys.
    package init(_ keys: Int...) {
        for key in keys { append(key) }
    }

    /// The key at a place.
    package subscript(index: Int) -> Int { Int(storage[index]) }

    /// Whether a key is among them.
    package func contains(_ key: Int) -> Bool {
        for index in 0..<count where storage[index] == Int16(key) { return true }
        return false
    }

    /// Adds a key behind the others; the oldest leaves where there is no room.
    package mutating func append(_ key: Int) {
        if count == Self.capacity { remove(self[0]) }
        storage[count] = Int16(key)
        count += 1
    }

    /// Takes a key out, wherever it stands.
    package mutating func remove(_ key: Int) {
        var kept = 0
        for index in 0..<count where storage[index] != Int16(key) {
            storage[kept] = storage[index]
            kept += 1
        }
        for index in kept..<Self.capacity { storage[index] = -1 }
        count = kept
    }
}

/// A record as a table holds it.
package struct SimulatedRecord: Hashable, Sendable {
    /// Whether it is there.
    package enum State: UInt8, Sendable {
        case absent, present, tombstone
    }

    /// Whether it is there.
    package var state: State
    /// The keys in its field.
    package var keys: KeyList
    /// Counts its writes.
    package var version: Int32
    /// When it was last written.
    package var changed: Tick

    /// A record.
    package init(
        _ state: State = .present, _ keys: KeyList = KeyList(), version: Int32 = 1,
        changed: Tick = 0
    ) {
        self.state = state
        self.keys = keys
        self.version = version
        self.changed = changed
    }

    /// Whether it is there, live, and references a key.
    package func references(_ key: Int) -> Bool { state == .present && keys.contains(key) }
}

/// An object as a bucket holds it at a key, or in quarantine.
package struct SimulatedObject: Hashable, Sendable {
    /// Counts all writes of objects: the same for no two.
    package var serial: Int32
    /// Stands for the bytes.
    package var content: Int32
    /// When the store says it was written: of a multipart upload, when that began.
    package var born: Tick
    /// Whether its ETag counts parts.
    package var isMultipart: Bool

    /// An object.
    package init(serial: Int32, content: Int32, born: Tick, isMultipart: Bool = false) {
        self.serial = serial
        self.content = content
        self.born = born
        self.isMultipart = isMultipart
    }
}

/// An object in quarantine.
package struct HeldObject: Hashable, Sendable {
    /// The key it had.
    package var key: Int16
    /// The run that took it, of which auditor.
    package var run: Int32
    /// When that run began.
    package var heldAt: Tick
    /// What it is.
    package var object: SimulatedObject
}

/// A request that no longer has anybody who waits for its answer, and may still be carried out.
package struct LateRequest: Hashable, Sendable {
    /// What it does; each is conditional, as it was sent.
    package enum Kind: Hashable, Sendable {
        case quarantine(SimulatedObject)
        case sweep
        case restore
        case null(version: Int32)
        case putBack(version: Int32)
    }

    /// What it does.
    package var kind: Kind
    /// The key concerned.
    package var key: Int16
    /// The record concerned; -1 when none is.
    package var record: Int16
    /// The run in whose quarantine the object is put or lies.
    package var run: Int32
}

/// What really happened to a key, which the checkers go by and nobody else sees.
package struct KeyTruth: Hashable, Sendable {
    /// What was uploaded last; -1 when nothing was, or a device removed it.
    package var content: Int32 = -1
    /// The auditor removed the last copy of that content for good.
    package var isDestroyed = false

    /// Nothing happened yet.
    package init() {}
}

/// A breach of what Mooring promises.
package enum Violation: Hashable, Sendable {
    /// A record references an object that the auditor removed for good.
    case lost(key: Int, record: Int)
    /// A reference whose object was there was nulled for good.
    case nulled(key: Int, record: Int)
    /// A referenced object lies in quarantine while nobody acts.
    case missing(key: Int)
    /// An act went through that its first look should have stopped.
    case disturbed(key: Int)
    /// An act began on an object that a record had referenced since the listing's end.
    case overlooked(key: Int)
    /// A journal entry says something else than what was done.
    case journal(key: Int, String)
    /// Something was left undone for ever.
    case left(String)

    /// The word by which tables name it.
    package var word: String {
        switch self {
        case .lost: "lost"
        case .nulled: "nulled"
        case .missing: "missing"
        case .disturbed: "disturbed"
        case .overlooked: "overlooked"
        case .journal: "journal"
        case .left: "left"
        }
    }
}

/// Everything there is: clock, tables, bucket, devices and auditors. A value: copying it is
/// what an exhaustive search does.
package struct World: Sendable {
    /// The clock.
    package var now: Tick = 1_000
    /// How far the stores' clocks are behind it.
    package var skew: Tick
    /// What the stores' clocks show.
    package var storeTime: Tick { now - skew }
    /// The records, of all tables.
    package var records: [SimulatedRecord]
    /// Of each record: a key that was nulled while its object was there, or -1.
    package var wronglyNulled: [Int16]
    /// The object at each key.
    package var objects: [SimulatedObject?]
    /// Of each key, the record that its template names; -1 for none.
    package var owners: [Int16]
    /// The quarantine.
    package var held: [HeldObject] = []
    /// Requests whose answer nobody waits for.
    package var late: [LateRequest] = []
    /// The devices.
    package var devices: [Device]
    /// The auditors.
    package var auditors: [Auditor]
    /// What really happened to each key.
    package var truth: [KeyTruth]
    /// The next object's serial, and the next new content.
    package var serial: Int32 = 100
    /// Crashes and faults that may still come.
    package var crashesLeft: Int
    /// Lost answers that may still come.
    package var faultsLeft: Int
    /// Who holds the bucket's lease; -1 when nobody does.
    package var lease: Int8 = -1
    /// The first breach that happened.
    package var violation: Violation?

    /// A world of records, objects, owners, devices and auditors.
    package init(
        records: [SimulatedRecord], objects: [SimulatedObject?], owners: [Int16],
        devices: Int, auditors: Int = 1, setting: Setting
    ) {
        self.records = records
        self.objects = objects
        self.owners = owners
        skew = setting.skew
        wronglyNulled = Array(repeating: -1, count: records.count)
        self.devices = (0..<devices).map { number in
            guard number < setting.programs.count else { return Device() }
            let program = setting.programs[number]
            return Device(program: number, record: program.record, key: program.key)
        }
        self.auditors = (0..<auditors).map {
            Auditor(number: Int8($0), keys: objects.count, records: records.count)
        }
        truth = objects.map { object in
            var truth = KeyTruth()
            truth.content = object?.content ?? -1
            return truth
        }
        crashesLeft = setting.crashes
        faultsLeft = setting.faults
    }

    /// Whether any live record references a key.
    package func isReferenced(_ key: Int) -> Bool {
        for record in records where record.references(key) { return true }
        return false
    }
}
