import Glibc

/// A system call that failed, by its error number.
struct SystemFailure: Error, Equatable {
    /// The value of `errno` after the call.
    let code: Int32

    /// The failure of the call that was made last on this thread.
    init() {
        self.code = errno
    }

    /// A failure with this error number.
    init(code: Int32) {
        self.code = code
    }

    /// Whether following a link found its end missing, or the link itself in its way.
    var meansLeadsNowhere: Bool { [ENOENT, ENOTDIR, ELOOP].contains(code) }

    /// The C library's words for it.
    var text: String { String(cString: strerror(code)) }
}
