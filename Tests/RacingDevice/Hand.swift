import Glibc

/// One thing that a device does at a time: a workflow, step by step, by seeded choice.
///
/// It keeps the bounds strictly. An association comes no later than U after the file appeared, or
/// after the moment at which an existing file was seen; a write that rests on a copy comes no
/// later than S after the copy was read. The clock is read inside the write transaction and after
/// it; a write for which it is too late is given up.
final class Hand {
    /// What the hand has and keeps.
    let name: String
    let options: Options
    let records: any Records
    let files: any Files
    var random: SeededGenerator
    private let log: Log
    private var uploads = 0
    private var counts: [String: Int] = [:]

    /// A hand of a device.
    init(_ number: Int, options: Options, files: any Files, log: Log) throws {
        name = "\(options.name).\(number)"
        self.options = options
        self.log = log
        records =
            try DynamoDBRecords(
                options.database, accessKey: options.accessKey, secretKey: options.secretKey)
            ?? SQLiteRecords(Store(options.database))
        self.files = files
        random = SeededGenerator(seed: options.seed &* 1_000 &+ UInt64(number))
    }

    /// The device stopped in the middle of a workflow.
    struct Crash: Error {}

    /// Plays one workflow after the other.
    func play(until end: Int64) async throws {
        while Clock.now < end {
            do {
                try await workflow()
                count("workflows")
            } catch is Crash {
                count("crashes")
            }
        }
        for (what, number) in counts.sorted(by: { $0.key < $1.key }) {
            try tell(Span(before: end, after: end), ["count", what, String(number)])
        }
    }

    private func workflow() async throws {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: try await songWorkflow()
        case 40..<62: try await albumWorkflow()
        case 62..<90: try await postWorkflow()
        default: try await noteWorkflow()
        }
    }

    // MARK: Steps

    /// The border between two steps, at which a device may crash.
    func step() throws {
        count("steps")
        if random.chance(6) { throw Crash() }
    }

    /// Waits until some moment before a deadline: often not at all, often nearly as long as the
    /// bound allows.
    func wait(before deadline: Int64) async throws {
        let left = deadline - Clock.margin - Clock.now
        guard left > 0, !random.chance(45) else { return }
        let time =
            random.chance(50)
            ? Int64.random(in: 0...left, using: &random) : max(0, left - 30 * Clock.milliseconds)
        try await Task.sleep(for: .nanoseconds(time))
    }

    /// Waits not at all, or for a time that no bound limits: long enough, at times, that what
    /// was left behind is taken for an orphan.
    func idle() async throws {
        guard !random.chance(50) else { return }
        let longest = 2 * (options.uploadWindow + options.staleWindow)
        try await Task.sleep(for: .nanoseconds(Int64.random(in: 0...longest, using: &random)))
    }

    /// Uploads new content to a key, or the bytes that whoever wants those uploads there; returns
    /// until when it has to be associated.
    func upload(_ key: String, sameBytes: Bool = false) throws -> Int64 {
        uploads += 1
        let label = sameBytes ? "same" : "\(name).\(uploads)"
        let content = label + " " + String(repeating: "x", count: sameBytes ? 5 : uploads % 97)
        let upload = try files.upload(key, content, by: name)
        try tell(upload.span, ["upload", key, upload.version, label])
        try step()
        return upload.born + options.uploadWindow
    }

    /// Removes the file at a key.
    func remove(_ key: String) throws {
        if let span = try files.remove(key) { try tell(span, ["remove", key]) }
        try step()
    }

    /// Until when a file that is there now may be associated; nil when there is none.
    func sight(of key: String) throws -> Int64? {
        let now = Clock.now
        return try files.holds(key) ? now + options.uploadWindow : nil
    }

    /// What one write does to a record.
    struct Write {
        /// The table and the record's id.
        let table: Table
        let id: String
        /// What it sets: `value` where there is a record, the whole record, or nothing at all.
        let content: Content

        /// What a record becomes.
        enum Content {
            case value(String?)
            case whole(title: String, value: String?)
            case nothing
        }
    }

    /// Writes in one transaction, unless it is too late; whether it wrote.
    @discardableResult
    func write(_ write: Write, before deadline: Int64 = .max) throws -> Bool {
        let isBound = deadline != .max
        try records.begin()
        let before = Clock.now
        guard !isBound || before + Clock.margin < deadline else {
            try records.rollBack()
            count("given-up")
            return false
        }
        let didWrite = try records.put(write, at: Clock.now)
        let isInTime = !isBound || Clock.now + Clock.margin / 2 < deadline
        guard didWrite, isInTime || !records.canRollBack else {
            try records.rollBack()
            return false
        }
        try records.commit()
        let span = Span(before: before, after: Clock.now)
        let record = [write.table.name, write.id]
        switch write.content {
        case .value(let value), .whole(_, let value):
            try tell(span, ["write"] + record + [value ?? "-"])
            if isBound, span.after > deadline { try tell(span, ["late"] + record + [value ?? "-"]) }
        case .nothing: try tell(span, ["delete"] + record)
        }
        try step()
        return true
    }

    /// A device's copy of a record.
    struct Copy {
        /// What it holds.
        let id: String
        let title: String
        let value: String?
        /// Until when it may be written back.
        let deadline: Int64
    }

    /// Reads a record; nil when there is none.
    func read(_ table: Table, _ id: String) throws -> Copy? {
        let deadline = Clock.now + options.staleWindow
        let row = try records.read(table, id)
        try step()
        return row.map { Copy(id: id, title: $0.title, value: $0.value, deadline: deadline) }
    }

    /// Whether a workflow on a record has to make it first.
    func isMissing(_ table: Table, _ id: String) throws -> Bool {
        try records.read(table, id) == nil && random.chance(60)
    }

    // MARK: The account

    /// Counts something for the device's account.
    func count(_ what: String) { counts[what, default: 0] += 1 }

    private func tell(_ span: Span, _ words: [String]) throws { try log.write(span, name, words) }
}

/// The app's tables, each with the one field that holds keys.
struct Table {
    /// The table's name, and its field's.
    let name: String
    let field: String
    /// Whether each write moves a version and a change time on.
    let isVersioned: Bool

    /// One key, made from the record: `songs/{id}`.
    static let song = Table(name: "Song", field: "cover", isVersioned: true)
    /// A list of keys, `albums/{id}-{uuid}` each.
    static let album = Table(name: "Album", field: "images", isVersioned: true)
    /// A complex object with any key, in a table that tells no change.
    static let post = Table(name: "Post", field: "file", isVersioned: false)
    /// Free text in a table that nobody mapped.
    static let note = Table(name: "Note", field: "body", isVersioned: false)
}
