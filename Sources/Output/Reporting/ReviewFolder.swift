import Glibc
import MooringModel

/// A new folder of tables that people decide in. It appears whole or not at all, and nothing that
/// lies at its path is ever written over.
package struct ReviewFolder {
    private let path: String
    private let draft: String

    /// Makes the folder's draft beside its path. Refused is a path where something lies but an
    /// empty folder.
    package init(creating path: String) throws(ReportError) {
        let trimmed = Self.withoutSlashes(path)
        self.path = trimmed
        let cut = trimmed.lastIndex(of: "/")
        let name = cut.map { String(trimmed[trimmed.index(after: $0)...]) } ?? trimmed
        let parent = cut.map { String(trimmed[...$0]) } ?? ""
        guard !trimmed.utf8.contains(0), !["", ".", ".."].contains(name) else {
            throw ReportError(path: path, reason: "that is no name for a new folder")
        }
        try Self.refuseTaken(trimmed)
        if !parent.isEmpty {
            do { try Folder.create(parent) } catch {
                throw ReportError(path: error.path, reason: error.reason, hint: Self.hint)
            }
        }
        draft = "\(parent).\(name).\(getpid()).partial"
        guard mkdir(draft, 0o777) == 0 else {
            throw Self.failure(trimmed, "the folder cannot be created")
        }
    }

    /// Writes one table.
    package func write(_ name: String, _ rows: some Sequence<ReviewTable.Row>)
        throws(ReportError)
    {
        do {
            let file = try OutputFile(creating: "\(draft)/\(name)")
            try file.append(ReviewTable.header)
            for row in rows { try file.append(ReviewTable.text(row)) }
            try file.close()
        } catch {
            // The hints of reports name options of theirs.
            throw ReportError(path: "\(path)/\(name)", reason: error.reason)
        }
    }

    /// Gives the draft its own name.
    package func complete() throws(ReportError) {
        guard rename(draft, path) == 0 else {
            throw Self.failure(path, "the folder cannot be put there")
        }
    }

    /// Removes what was written, as far as possible: whoever calls this has an error already.
    package func discard(_ names: [String]) {
        for name in names { unlink("\(draft)/\(name)") }
        rmdir(draft)
    }

    /// The name of a part's file: its number with leading zeros as `count` parts need them, and
    /// what can be read of its name anywhere; two parts never have the same.
    package static func fileName(_ part: [UInt8], number: Int, of count: Int) -> String {
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, String(count).count - digits.count))
        var name = ""
        for byte in part.prefix(longestRead) {
            let scalar = Unicode.Scalar(byte)
            let isPlain = byte < 0x80 && (scalar.properties.isAlphabetic || isDigit(byte))
            if isPlain {
                name.unicodeScalars.append(scalar)
            } else if name.last != "-", name.utf8.count > 0 {
                name += "-"
            }
            if name.utf8.count == longestName { break }
        }
        while name.last == "-" { name.removeLast() }
        return zeros + digits + (name.isEmpty ? "" : "-" + name) + ".csv"
    }

    private static let hint = "name another folder with --review-to"
    private static let longestRead = 1_024
    private static let longestName = 60

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func withoutSlashes(_ path: String) -> String {
        var trimmed = path
        while trimmed.utf8.count > 1, trimmed.utf8.last == UInt8(ascii: "/") {
            trimmed.removeLast()
        }
        return trimmed
    }

    // Renaming puts a folder in the place of an empty one, and of nothing else.
    private static func refuseTaken(_ path: String) throws(ReportError) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw failure(path, "the folder cannot be looked at")
            }
            return
        }
        guard facts.st_mode & S_IFMT == S_IFDIR,
            try Folder(opening: path, followingLink: false).names().isEmpty
        else {
            throw ReportError(
                path: path, reason: "exists and is left as it is",
                hint: hint)
        }
    }

    private static func failure(_ path: String, _ action: String) -> ReportError {
        let words = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        return ReportError(
            path: path, reason: "\(action): \(words)", hint: hint)
    }
}
