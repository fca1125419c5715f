import Foundation
import Glibc

/// The servers of this process: each is installed and started at its first use, once for all
/// tests, and is stopped when the process is gone.
actor Servers {
    /// The only one.
    static let shared = Servers()

    private var installs: [String: Task<Void, any Error>] = [:]
    private var starts: [ServerKind: Task<Ports, any Error>] = [:]

    /// Where a server listens.
    struct Ports: Sendable {
        /// Plain HTTP.
        let plain: Int
        /// HTTPS, and plain HTTP that throttles; 0 where the server has none.
        var secure = 0
        var slow = 0
        /// A standby of a database; 0 where there is none.
        var replica = 0
        /// The folder with its data, logs and certificate.
        let data: String
    }

    /// Installs what a kind of server needs.
    func install(_ kind: ServerKind) async throws {
        let own: [ServerKind] = [.ceph, .postgres, .moto]
        let arguments =
            own.contains(kind) ? [kind.rawValue] : kind == .notices ? ["reports"] : []
        let task =
            installs[arguments.joined()]
            ?? Task.detached {
                let result = try await ServerScript.run("install", arguments)
                guard result.status == 0 else { throw ServerError(result.told) }
            }
        installs[arguments.joined()] = task
        try await task.value
    }

    /// Where a kind of server listens; starts it when nobody has.
    func ports(_ kind: ServerKind) async throws -> Ports {
        if let running = starts[kind] { return try await running.value }
        let task = Task.detached {
            try await self.install(kind)
            return try await Self.start(kind)
        }
        starts[kind] = task
        return try await task.value
    }

    // A port that was free may be taken by another program before the server is there.
    private static func start(_ kind: ServerKind) async throws -> Ports {
        var told = ""
        for _ in 0..<3 {
            var template = Array("/tmp/mooring-server-XXXXXX".utf8CString)
            guard let data = mkdtemp(&template).map({ String(cString: $0) }) else {
                throw ServerError("no temporary folder: errno \(errno)")
            }
            var ports = Ports(plain: try FreePort.find(), data: data)
            var environment: [String: String] = [:]
            if kind == .ceph {
                (ports.secure, ports.slow) = (try FreePort.find(), try FreePort.find())
                environment["TLS_PORT"] = String(ports.secure)
                environment["SLOW_PORT"] = String(ports.slow)
            }
            if kind == .postgres {
                ports.replica = try FreePort.find()
                environment["REPLICA_PORT"] = String(ports.replica)
            }
            try ServerScript.watch(kind.rawValue, data)
            let result = try await ServerScript.run(
                kind.rawValue, ["start", data, String(ports.plain)], environment: environment)
            if result.status == 0 { return ports }
            told = result.told
            _ = try await ServerScript.run(kind.rawValue, ["stop", data])
        }
        throw ServerError("\(kind.rawValue) did not start: \(told)")
    }
}
