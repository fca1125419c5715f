import Glibc
import MooringModel
import StoreConformance
import Synchronization
import Testing

@testable import MooringFiles

/// How many hold a lease.
private final class Count: Sendable {
    private let number = Mutex(0)

    @discardableResult
    func add(_ change: Int) -> Int {
        number.withLock {
            $0 += change
            return $0
        }
    }
}

/// What is special about the lease of a folder: it is a file that others may touch too.
struct LeaseFileTests {
    private static let file = "files/.mooring/lease"
    private static let one = Array("one".utf8)

    @Test("Writing and removing it leave no folder and no file that was not there before")
    func leavesNothing() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        let lease = try #require(try await bucket.createLease(Self.one))
        #expect(sandbox.content(Self.file) == "one")
        #expect(!sandbox.exists("files/.q"))
        let second = try #require(try await bucket.replaceLease(lease, with: Array("two".utf8)))
        #expect(sandbox.content(Self.file) == "two")
        #expect(!sandbox.exists("files/.q"))
        #expect(try await bucket.removeLease(second))
        #expect(!sandbox.exists("files/.mooring") && !sandbox.exists("files/.q"))
        try sandbox.put(".mooring/own", "app's own")
        let third = try #require(try await bucket.createLease(Self.one))
        #expect(try await bucket.removeLease(third))
        #expect(sandbox.content("files/.mooring/own") == "app's own")
    }

    @Test(
        "A lease that came between look and act stays, and nothing is replaced or removed",
        arguments: [true, false])
    func overtaken(replaces: Bool) async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket { _ in
            // A failure leaves the old content, which the test then sees.
            _ = try? sandbox.write("other", "another's")
            // So does this one's.
            try? sandbox.rename("other", to: Self.file)
        }
        let lease = try #require(try await bucket.createLease(Self.one))
        if replaces {
            #expect(try await bucket.replaceLease(lease, with: Array("two".utf8)) == nil)
        } else {
            #expect(try await !bucket.removeLease(lease))
        }
        #expect(sandbox.content(Self.file) == "another's")
        let found = try #require(try await bucket.readLease())
        #expect(found.content == Array("another's".utf8) && found.lease == nil)
        #expect(!sandbox.exists("files/.q"))
    }

    @Test("One that vanished between look and act is not written anew")
    func vanished() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket { _ in sandbox.remove(Self.file) }
        let lease = try #require(try await bucket.createLease(Self.one))
        #expect(try await bucket.replaceLease(lease, with: Array("two".utf8)) == nil)
        #expect(!sandbox.exists(Self.file))
        let second = try #require(try await bucket.createLease(Self.one))
        #expect(try await !bucket.removeLease(second))
        #expect(!sandbox.exists("files/.q"))
    }

    @Test("A link, a folder and a pipe with its name are no lease and no absence")
    func obstacles() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        _ = try sandbox.write("target", "outside")
        try sandbox.link(".mooring/lease", to: sandbox.path + "/target")
        await #expect(throws: StoreError.self) { try await bucket.readLease() }
        #expect(try await bucket.createLease(Self.one) == nil)
        sandbox.remove(Self.file)
        try sandbox.makeFolder(Self.file)
        await #expect(throws: StoreError.self) { try await bucket.readLease() }
        #expect(try await bucket.createLease(Self.one) == nil)
        sandbox.remove(Self.file)
        try #require(mkfifo(sandbox.path + "/" + Self.file, 0o600) == 0)
        await #expect(throws: StoreError.self) { try await bucket.readLease() }
        sandbox.remove(Self.file)
        sandbox.remove("files/.mooring")
        try sandbox.link(".mooring", to: sandbox.path)
        await #expect(throws: StoreError.self) { try await bucket.readLease() }
        await #expect(throws: StoreError.self) { try await bucket.createLease(Self.one) }
        #expect(sandbox.content("target") == "outside" && !sandbox.exists("lease"))
    }

    @Test("What a crash left on its way is no object, nor is a lease inside a quarantine .mooring/")
    func leftovers() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        try sandbox.put(".q/bin/.lease-1f", "left")
        #expect(try await bucket.listed().items.isEmpty)
        let inside = try await bucket.listedQuarantine()
        #expect(inside.items.isEmpty && inside.result.isComplete)
        let wide = try DirectoryBucket(
            name: "media", folder: sandbox.folder, quarantine: Array(".mooring/".utf8),
            trust: .mtime)
        _ = try #require(try await wide.createLease(Self.one))
        #expect(try await wide.listedQuarantine().result.isComplete)
        try sandbox.put(".mooring/other", "x")
        #expect(try await wide.listedQuarantine().problems.map(\.isOutside) == [true])
    }

    @Test("Of processes that come and go at once, never two hold it, and none is told a falsehood")
    func manyProcesses() async throws {
        let sandbox = try Sandbox()
        let inside = Count()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for process in 0..<4 {
                // An instance of its own, since the lock of one keeps its calls apart.
                let bucket = try sandbox.bucket()
                group.addTask {
                    var won = 0
                    for round in 0..<100 {
                        let content = Array("\(process)/\(round)".utf8)
                        guard var lease = try await bucket.createLease(content) else { continue }
                        #expect(inside.add(1) == 1)
                        if round.isMultiple(of: 2) {
                            lease = try #require(
                                try await bucket.replaceLease(lease, with: content + content))
                        }
                        #expect(try await bucket.readLease() == lease)
                        inside.add(-1)
                        #expect(try await bucket.removeLease(lease))
                        won += 1
                    }
                    return won
                }
            }
            let won = try await group.reduce(0, +)
            #expect(won > 0)
        }
        // The quarantine's own folder may stay: who made it found it in use, and left it.
        #expect(!sandbox.exists("files/.mooring"))
        sandbox.remove("files/.q/bin")
        sandbox.remove("files/.q")
        #expect(!sandbox.exists("files/.q"))
    }

    @Test("A huge file is read in part, and is somebody's lease all the same")
    func huge() async throws {
        let sandbox = try Sandbox()
        let bucket = try sandbox.bucket()
        try sandbox.put(Array(".mooring/lease".utf8), [UInt8](repeating: 0, count: 1 << 20))
        let found = try #require(try await bucket.readLease())
        #expect(found.content.count == 1 << 16 && found.lease == nil)
        #expect(try await bucket.createLease(Self.one) == nil)
    }
}
