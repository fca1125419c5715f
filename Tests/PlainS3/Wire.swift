package import Glibc

/// Why a call over a plain connection failed, in words.
package struct WireError: Error, CustomStringConvertible {
    /// What happened.
    package let description: String
    /// Whether the connection was closed before a single byte came: an idle one that the other
    /// end has given up.
    package let isIdleEnd: Bool

    /// An error in words.
    package init(_ description: String, isIdleEnd: Bool = false) {
        self.description = description
        self.isIdleEnd = isIdleEnd
    }
}

/// A blocking TCP connection of this machine's loopback, with a buffer for what was read ahead.
package final class Wire {
    /// The socket.
    package let socket: Int32
    private var buffer: [UInt8] = []
    private var start = 0

    /// Takes over a socket that is connected; a call waits no longer than `patience` seconds.
    package init(socket: Int32, patience: Int = 60) {
        self.socket = socket
        var on: Int32 = 1
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var time = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// Connects to a port of 127.0.0.1.
    package convenience init(port: Int, patience: Int = 60) throws {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Wire.closedOnExec, 0)
        guard socket >= 0 else { throw WireError("no socket: errno \(errno)") }
        var address = Wire.loopback(port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let reason = errno
            close(socket)
            throw WireError("127.0.0.1:\(port) does not answer: errno \(reason)")
        }
        self.init(socket: socket, patience: patience)
    }

    deinit { close(socket) }

    /// The flag for a socket that no program started from here inherits.
    package static let closedOnExec = Int32(SOCK_CLOEXEC.rawValue)

    /// The address of a port of the loopback.
    package static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        return address
    }

    /// Sends all bytes.
    package func send(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw WireError("the connection broke: errno \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// One line without its CR LF; nil at a clean end.
    package func line() throws -> String? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                let line = buffer[start..<end]
                start = end + 1
                return String(decoding: line.last == 13 ? line.dropLast() : line, as: UTF8.self)
            }
            searched = buffer.count
            let before = buffer.count - start
            guard try fill() else {
                guard before == 0 else { throw WireError("the connection ended in a line") }
                return nil
            }
            searched = start + before
        }
    }

    /// Exactly so many bytes.
    package func bytes(_ count: Int) throws -> [UInt8] {
        while buffer.count - start < count {
            guard try fill() else { throw WireError("the connection ended in a body") }
        }
        defer { start += count }
        return Array(buffer[start..<(start + count)])
    }

    /// Everything until the other end closes.
    package func rest() throws -> [UInt8] {
        while try fill() {}
        defer { start = buffer.count }
        return Array(buffer[start...])
    }

    /// Closes with a reset instead of an orderly end; what is unread is lost at both ends.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        // The last reference closes the socket; until then neither end may wait.
        Glibc.shutdown(socket, Int32(SHUT_RD))
    }

    /// Ends both directions, so that a thread that waits for this connection goes on.
    package func end() { Glibc.shutdown(socket, Int32(SHUT_RDWR)) }

    private func fill() throws -> Bool {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &piece, piece.count, 0)
        guard count >= 0 else {
            let reason = errno
            throw WireError(
                reason == EAGAIN
                    ? "no answer came in time" : "the connection broke: errno \(reason)",
                isIdleEnd: reason == ECONNRESET && buffer.isEmpty)
        }
        buffer += piece[..<count]
        return count > 0
    }
}
