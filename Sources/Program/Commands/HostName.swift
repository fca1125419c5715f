import Glibc

/// The name of this machine.
enum HostName {
    /// As the system has it; `localhost` where it has none.
    static var current: String {
        var name = [CChar](repeating: 0, count: 256)
        // One byte is kept for the end, which a long name is cut off without.
        guard gethostname(&name, name.count - 1) == 0, name[0] != 0 else { return "localhost" }
        return name.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
