import Glibc
import Testing

/// A user who, unlike root, may not do everything: CI runs the tests as root.
enum Nobody {
    private static let id: uid_t = 65_534

    /// Whether this process is not root's, or may become another user's.
    static let isPossible = geteuid() != 0 || Nobody.mayChange

    // Bits 6 and 7 of the effective capabilities let a process change its group and its user.
    private static var mayChange: Bool {
        guard let file = fopen("/proc/self/status", "r") else { return false }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
                .split { $0.isWhitespace }
            guard words.first == "CapEff:", let bits = UInt64(words[1], radix: 16) else { continue }
            return bits & 0xC0 == 0xC0
        }
        return false
    }

    /// Makes this process that user's for good, where it is root's: in a child alone.
    static func become() throws {
        guard geteuid() == 0 else { return }
        try #require(setgroups(0, nil) == 0 && setgid(id) == 0 && setuid(id) == 0)
    }
}
