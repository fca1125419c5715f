import Glibc

/// The device's own account: one line for each step, by which the referee tells what the device
/// did from what Mooring did. Fields are parted by tabs; times are nanoseconds since 1970.
///
/// `BEFORE AFTER HAND KIND …`, where KIND is `upload KEY VERSION CONTENT`, `remove KEY`,
/// `write TABLE ID VALUE`, `delete TABLE ID`, `late TABLE ID VALUE` or `count NAME NUMBER`.
final class Log: Sendable {
    private let file: Int32

    /// Appends to a file.
    init(_ path: String) throws {
        file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Trouble("the log cannot be opened") }
    }

    /// Writes one line, in one call, so that the hands' lines never mix.
    func write(_ span: Span, _ hand: String, _ words: [String]) throws {
        let line = "\(span.before)\t\(span.after)\t\(hand)\t" + words.joined(separator: "\t") + "\n"
        let bytes = Array(line.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw Trouble("the log cannot be written")
        }
    }
}

/// The moments just before and just after a step, in nanoseconds since 1970.
struct Span {
    /// Before the step began to show.
    let before: Int64
    /// After it showed to everybody.
    let after: Int64
}

/// What ends a device: nothing that the race allows for.
struct Trouble: Error, CustomStringConvertible {
    let description: String

    /// Trouble, in words.
    init(_ description: String) { self.description = description }
}
