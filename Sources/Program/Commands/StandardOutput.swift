import Glibc
import MooringModel
import Synchronization

/// The stream for results.
enum StandardOutput {
    private static let lost = Mutex<Int32>(0)

    /// Writes a text as it is; what cannot be written is told by `loss` at the command's end.
    static func write(_ text: String) {
        let code = Stream.write(text, to: 1)
        // A reader that went away (a closed pipe) wants no more; the command's status still counts.
        guard code != 0, code != EPIPE else { return }
        lost.withLock { if $0 == 0 { $0 = code } }
    }

    /// What is missing of the output so far, and why; nil when all of it was taken, or its reader
    /// went away.
    static var loss: String? {
        let code = lost.withLock { $0 }
        guard code != 0 else { return nil }
        return "the output is not whole: it could not be written "
            + "(\(String(cString: strerror(code))))"
    }

    /// Writes a text and a line feed.
    static func line(_ text: String) { write(text + "\n") }

    /// Writes one JSON document.
    static func document(_ value: JSONValue) {
        write(String(decoding: value.prettyRendered, as: UTF8.self))
    }
}

/// Unbuffered output, so that both streams keep their order.
enum Stream {
    /// The system's error number when the rest could not be written; 0 otherwise.
    static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }
}
