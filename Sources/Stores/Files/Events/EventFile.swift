package import MooringModel

/// A file of events of whatever sort, deflated or not, read piece by piece.
///
/// What it is, its first line tells: JSON, rows of S3 Metadata's journal under their header, or
/// lines of an access log.
package struct EventFile {
    /// The file as the user named it.
    package let path: String

    /// A file.
    package init(path: String) {
        self.path = path
    }

    /// Hands over every event with its place, and every line that cannot be read with why; a file
    /// that cannot be read on, or ends within JSON, is such a line too, and gives false.
    ///
    /// Throws where it cannot be opened, and whatever `check` throws, which is asked now and then
    /// whether to go on.
    package func read(
        check: () throws -> Void, event take: @escaping (LoggedEvent) -> Void,
        fault: @escaping (_ place: String, _ reason: String) -> Void
    ) throws -> Bool {
        let buffer = TextBuffer(try ByteSource(path: path, pieceSize: Self.pieceSize))
        let tell = Telling(path: path, take: take, fault: fault)
        var isWhole = true
        switch Self.form(of: buffer) {
        case .json: isWhole = try Self.readJSON(buffer, check, tell)
        case .rows: try Self.readRows(buffer, check, tell)
        case .lines: try Self.readLines(buffer, check, tell)
        case .nothing: break
        }
        guard let failure = buffer.failure else { return isWhole }
        tell.fault(line: nil, failure.reason)
        return false
    }

    // Deflated bytes may stand for a thousand times as many.
    private static let pieceSize = 16 << 10
    private static let checkedEvery = 1_024

    private enum Form {
        case json, rows, lines, nothing
    }

    private static func form(of buffer: TextBuffer) -> Form {
        // A first line that is cut here tells as much as a whole one.
        while buffer.bytes.count - buffer.start < pieceSize, buffer.refill() {}
        let head = buffer.bytes[buffer.start...].prefix(pieceSize)
        guard let first = head.first(where: { $0 > 0x20 }) else { return .nothing }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return .json }
        let line = head.prefix { $0 != 0x0A }.filter { $0 != UInt8(ascii: "\"") && $0 != 0x0D }
        let names = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return MetadataRow(header: names.map { Array($0) }) == nil ? .lines : .rows
    }

    private static func readJSON(
        _ buffer: TextBuffer, _ check: () throws -> Void, _ tell: Telling
    ) throws -> Bool {
        var pieces = JSONPieces()
        repeat {
            try check()
            pieces.take(buffer.bytes[buffer.start...]) { tell.take($0) }
            buffer.start = buffer.bytes.count
        } while buffer.refill()
        return pieces.finish { tell.take($0) }
    }

    private static func readRows(
        _ buffer: TextBuffer, _ check: () throws -> Void, _ tell: Telling
    ) throws {
        let reader = CSVReader(buffer)
        var rows: MetadataRow?
        var count = 0
        while true {
            var fields: [[UInt8]] = []
            let step = reader.next { row in
                if !row.isBlank { fields = row.fields.map { row.bytes($0) } }
            }
            count += 1
            if count % checkedEvery == 0 { try check() }
            switch step {
            case .end: return
            case .problem(let line, let reason): tell.fault(line: line, reason)
            case .row(let line):
                guard !fields.isEmpty else { continue }
                guard let known = rows else {
                    rows = MetadataRow(header: fields)
                    continue
                }
                tell.take(known.event(fields), line: line)
            }
        }
    }

    private static func readLines(
        _ buffer: TextBuffer, _ check: () throws -> Void, _ tell: Telling
    ) throws {
        let reader = LineReader(buffer)
        var count = 0
        while true {
            count += 1
            if count % checkedEvery == 0 { try check() }
            switch reader.next() {
            case .end: return
            // Why it could not be read on is told at the end, for every form.
            case .problem: return
            case .line(let line, _):
                let bytes = reader.withBytes { Array($0) }
                guard bytes.contains(where: { $0 > 0x20 }) else { continue }
                if let (time, value) = dated(bytes) {
                    tell.take(value, at: time, line: line)
                } else {
                    tell.take(AccessLogLine.event(bytes), line: line)
                }
            }
        }
    }

    // A line as exports of logs have it: a time in ISO 8601, a blank, and JSON.
    private static func dated(_ line: [UInt8]) -> ((Instant, Duration), [UInt8])? {
        guard let blank = line.firstIndex(of: 0x20), blank + 1 < line.count,
            line[blank + 1] == UInt8(ascii: "{"),
            let time = EventText.time(String(decoding: line[..<blank], as: UTF8.self))
        else { return nil }
        return (time, Array(line[(blank + 1)...]))
    }
}

/// Gives what was read its place.
private struct Telling {
    let path: String
    let take: (LoggedEvent) -> Void
    let fault: (_ place: String, _ reason: String) -> Void

    func fault(line: Int?, _ reason: String) {
        fault(line.map { "\(path):\($0)" } ?? path, reason)
    }

    func take(_ piece: JSONPieces.Piece) {
        switch piece {
        case .fault(let line, let reason): fault(line: line, reason)
        case .value(let bytes, let line, let number):
            read(
                bytes, at: nil, number.map { "\(path):\(line), record \($0)" } ?? "\(path):\(line)")
        }
    }

    func take(_ bytes: [UInt8], at time: (Instant, Duration), line: Int) {
        read(bytes, at: time, "\(path):\(line)")
    }

    func take(_ event: LoggedEvent?, line: Int) {
        guard let event else { return fault(line: line, "is no line of a log that is known") }
        take(event, at: "\(path):\(line)")
    }

    private func read(_ bytes: [UInt8], at time: (Instant, Duration)?, _ place: String) {
        let node: JSONNode
        do {
            node = try JSONNode(parsing: bytes)
        } catch {
            return fault(place, "is no JSON: \(error.description)")
        }
        switch EventRecord.read(node, at: time) {
        case .nothing: break
        case .fault(let reason): fault(place, reason)
        case .events(let events, let faults):
            for event in events { take(event, at: place) }
            for reason in faults { fault(place, reason) }
        }
    }

    private func take(_ event: LoggedEvent, at place: String) {
        var placed = event
        placed.place = place
        take(placed)
    }
}
