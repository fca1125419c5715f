import Glibc

/// A port of this machine's loopback that nobody listens on.
package enum FreePort {
    /// Such a port, as the system chooses it; somebody else may take it before it is used, so a
    /// server that finds it taken asks again.
    package static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw ServerError("no socket: errno \(errno)") }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        guard status == 0 else { throw ServerError("no free port: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}

/// Why a server could not be started, or does not do what a test needs of it.
package struct ServerError: Error, CustomStringConvertible {
    /// What was found.
    package let description: String

    /// An error in words.
    package init(_ description: String) {
        self.description = description
    }
}
