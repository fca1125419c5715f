import Glibc

/// A report that could not be written: which place, why, and what to do next.
package struct ReportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    package let path: String
    /// What was found there.
    package let reason: String
    /// What to do next, where there is something to say.
    package let hint: String?

    /// A failure at a path.
    package init(path: String, reason: String, hint: String? = nil) {
        self.path = path
        self.reason = reason
        self.hint = hint
    }

    /// A failure of a system call that has just set `errno` to this code.
    init(path: String, doing action: String, code: Int32) {
        let words = strerror(code).map { String(cString: $0) } ?? "error \(code)"
        self.init(path: path, reason: "\(action): \(words)", hint: Self.hint(code))
    }

    /// `path: reason; hint`, with the path escaped as reports escape it.
    package var description: String {
        "\(VisibleText.ascii(path)): \(reason)" + (hint.map { "; \($0)" } ?? "")
    }

    private static func hint(_ code: Int32) -> String {
        switch code {
        case ENOSPC, EDQUOT:
            "the disk is full: free space there, or name another folder with --output, then run "
                + "'mooring report RUN'"
        case EACCES, EPERM, EROFS:
            "this user may not write there: change the permissions, or name another folder with "
                + "--output, then run 'mooring report RUN'"
        case ENOTDIR, EEXIST:
            "a file stands where a folder is needed: name another folder with --output"
        case EISDIR, ENOTEMPTY:
            "a folder stands where a link is made: move it away, or name another folder with "
                + "--output, then run 'mooring report RUN'"
        default:
            "see what is wrong with that place, or name another folder with --output, then run "
                + "'mooring report RUN'"
        }
    }
}
