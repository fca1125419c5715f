import Glibc
import Testing

/// The program, held in the middle of its work: an app has locked the database that it reads, and
/// the process is stopped.
struct HeldProgram {
    /// The process.
    let process: RunningProgram
    private let app: App

    /// Starts the program and returns once it has opened the database, stopped. The app's database
    /// must not be in WAL mode, where a lock keeps no reader out.
    init(_ arguments: [String], in app: App) throws {
        self.app = app
        try app.database.run("BEGIN EXCLUSIVE")
        process = try Program.start(arguments, in: app.path, environment: app.environment)
        while !Self.hasOpened(app.path + "/app.sqlite", process.pid) {
            try #require(try process.poll() == nil, "\(process.output) \(process.errors)")
            usleep(500)
        }
        // Its patience with the lock counts its looks, so none of it passes now.
        process.signal(SIGSTOP)
    }

    /// Unlocks the database, and lets the process go on.
    func goOn() throws {
        try app.database.run("COMMIT")
        process.signal(SIGCONT)
    }

    private static func hasOpened(_ path: String, _ process: pid_t) -> Bool {
        guard let entries = opendir("/proc/\(process)/fd") else { return false }
        defer { closedir(entries) }
        while let entry = readdir(entries) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var target = [CChar](repeating: 0, count: 4_096)
            let count = readlink("/proc/\(process)/fd/\(name)", &target, target.count)
            let bytes = target.prefix(max(count, 0)).map(UInt8.init(bitPattern:))
            if bytes.elementsEqual(path.utf8) { return true }
        }
        return false
    }
}
