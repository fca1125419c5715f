import Testing

/// What the devices did, by their own account, in the order of time.
struct RaceLog {
    /// The moments before and after a step, in nanoseconds since 1970.
    struct Span {
        let before: Int
        let after: Int
    }

    /// A file that a device put at a key.
    struct Upload {
        let span: Span
        /// How Mooring names this version, but for a file's size.
        let version: String
        let content: String
    }

    /// A record as a device left it.
    struct Write {
        let span: Span
        let keys: [String]
    }

    private(set) var uploads: [String: [Upload]] = [:]
    private(set) var removals: [String: [Span]] = [:]
    private(set) var writes: [RaceApp.Place: [Write]] = [:]
    /// Keys in writes that a device committed after their bound: its own fault.
    private(set) var late: Set<String> = []
    private(set) var counts: [String: Int] = [:]
    /// The moment of the first step, in nanoseconds since 1970.
    private(set) var began = Int.max

    init(_ app: RaceApp) throws {
        for log in app.logs {
            let name = String(log.dropFirst(app.path.count + 1))
            for line in try #require(app.read(name)).split(separator: "\n") {
                try read(line.split(separator: "\t").map(String.init))
            }
        }
        for key in uploads.keys { uploads[key]?.sort { $0.span.before < $1.span.before } }
        // Each span of a write begins under the database's write lock, so this order is exact.
        for place in writes.keys { writes[place]?.sort { $0.span.before < $1.span.before } }
    }

    private mutating func read(_ words: [String]) throws {
        try #require(words.count > 5 || words.count == 5 && words[3] == "remove", "\(words)")
        let span = Span(before: try #require(Int(words[0])), after: try #require(Int(words[1])))
        began = min(began, span.before)
        switch words[3] {
        case "upload":
            uploads[words[4], default: []].append(
                Upload(span: span, version: words[5], content: words[6]))
        case "remove": removals[words[4], default: []].append(span)
        case "count": counts[words[4], default: 0] += try #require(Int(words[5]))
        default:
            let place = RaceApp.Place(table: words[4], id: words[5])
            let value = words[3] == "delete" || words[6] == "-" ? nil : words[6]
            let keys = RaceKeys.held(place.table, value)
            if words[3] == "late" {
                late.formUnion(keys)
            } else {
                writes[place, default: []].append(Write(span: span, keys: keys))
            }
        }
    }

    /// The newest version at a key that was surely there before a moment.
    func newest(at key: String, before moment: Int) -> Upload? {
        uploads[key]?.last { $0.span.after < moment }
    }

    /// Whether a device may have removed the file at a key after a moment and before another.
    func isRemoved(_ key: String, after moment: Int, before end: Int = .max) -> Bool {
        removals[key]?.contains { $0.after > moment && $0.before < end } ?? false
    }
}
