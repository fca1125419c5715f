import Foundation
import MooringLedger
import MooringModel
import Testing

struct LockTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func acquire(_ path: String? = nil) throws -> LedgerLock {
        try LedgerLock.acquire(
            ledgerPath: path ?? folder.ledger, command: "audit", at: Sample.start)
    }

    /// Starts a program and gives back its process id.
    private func spawn(_ arguments: [String]) throws -> pid_t {
        var pid: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        let path = try #require(arguments.first)
        try #require(posix_spawn(&pid, path, nil, nil, &words, environ) == 0)
        return pid
    }

    /// Waits for a process to end; its exit status, or -1 when a signal ended it.
    private func wait(for pid: pid_t) -> Int32 {
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -1
    }

    private static let hasFlock = access("/usr/bin/flock", X_OK) == 0

    @Test("A second taker is told at once who holds the lock and since when")
    func second() throws {
        let lock = try acquire()
        let error = #expect(throws: LedgerError.self) { _ = try acquire() }
        #expect(error?.kind == .locked)
        #expect(
            error?.found
                == "in use by process \(getpid()), audit, since \(Sample.start.iso8601)")
        #expect(error?.hint == "wait for that process, or look at it")
        #expect(error?.refused == "running audit")
        lock.release()
        lock.release()
        let again = try acquire()
        again.release()
        #expect(try folder.names == ["test.ledger.lock"])
    }

    @Test("A lock that nobody refers to any more is free")
    func deinitialisation() throws {
        do {
            let lock = try acquire()
            #expect(throws: LedgerError.self) { _ = try acquire() }
            withExtendedLifetime(lock) {}
        }
        try acquire().release()
    }

    @Test("Another process cannot take the lock while it is held", .enabled(if: hasFlock))
    func otherProcess() throws {
        let attempt = ["/usr/bin/flock", "-n", folder.ledger + ".lock", "/bin/true"]
        let lock = try acquire()
        #expect(wait(for: try spawn(attempt)) == 1)
        lock.release()
        #expect(wait(for: try spawn(attempt)) == 0)
    }

    @Test("The lock of a process that is killed is free", .enabled(if: hasFlock))
    func holderDies() throws {
        let holder = try spawn([
            "/usr/bin/flock", "--no-fork", folder.ledger + ".lock", "/bin/sleep", "60",
        ])
        var isHeld = false
        for _ in 0..<1_000 where !isHeld {
            do {
                try acquire().release()
                usleep(10_000)
            } catch let error as LedgerError {
                #expect(error.kind == .locked)
                #expect(error.found == "in use by another process")
                isHeld = true
            }
        }
        #expect(isHeld)
        kill(holder, SIGKILL)
        #expect(wait(for: holder) == -1)
        try acquire().release()
    }

    @Test("A child that outlives the lock does not keep it")
    func children() throws {
        let lock = try acquire()
        let child = try spawn(["/bin/sleep", "60"])
        lock.release()
        #expect(throws: Never.self) { try acquire().release() }
        var inherits = true
        for _ in 0..<1_000 where inherits {
            inherits = try inheritsLock(child)
            if inherits { usleep(5_000) }
        }
        #expect(!inherits)
        kill(child, SIGKILL)
        _ = wait(for: child)
    }

    /// Whether a process still has the lock file open; one that is just starting may.
    private func inheritsLock(_ process: pid_t) throws -> Bool {
        let files = "/proc/\(process)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: files).contains { name in
            var target = [CChar](repeating: 0, count: 4_096)
            let count = readlink("\(files)/\(name)", &target, target.count)
            return target.prefix(max(count, 0)).suffix(5).elementsEqual(
                ".lock".utf8.map { CChar($0) })
        }
    }

    @Test("Two paths to one ledger share one lock")
    func symbolicLinks() throws {
        _ = try Ledger.open(path: folder.ledger)
        let link = folder.path + "/link.ledger"
        try #require(symlink(folder.ledger, link) == 0)
        let lock = try acquire(link)
        let error = #expect(throws: LedgerError.self) { _ = try acquire() }
        #expect(error?.kind == .locked)
        lock.release()
    }

    @Test("What stands in the lock file cannot steer a terminal")
    func hostileHolder() throws {
        let lock = try LedgerLock.acquire(
            ledgerPath: folder.ledger, command: "\u{1B}[2J\nx", at: Sample.start)
        let error = #expect(throws: LedgerError.self) { _ = try acquire() }
        #expect(error?.found.contains(", ?[2J?x, since") == true)
        lock.release()
    }

    @Test("A missing folder and a lock file that is a link are refused")
    func unfitPlaces() throws {
        let missing = #expect(throws: LedgerError.self) {
            _ = try acquire(folder.path + "/none/x.ledger")
        }
        #expect(missing?.kind == .noFolder)
        let target = try folder.write([1, 2, 3], to: "target")
        try #require(symlink(target, folder.ledger + ".lock") == 0)
        let linked = #expect(throws: LedgerError.self) { _ = try acquire() }
        #expect(linked?.kind == .denied)
        #expect(linked?.found.hasPrefix("the lock file cannot be opened (") == true)
        #expect(linked?.hint == "let this user write it and its folder; it must be no link")
        #expect(try folder.bytes(of: "target") == [1, 2, 3])
    }

    @Test("Nothing is written beside what is no ledger")
    func notALedger() throws {
        let path = try folder.write([1, 2, 3], to: "some.txt")
        #expect(throws: LedgerError.self) { _ = try acquire(path) }
        #expect(try folder.names == ["some.txt"])
    }
}
