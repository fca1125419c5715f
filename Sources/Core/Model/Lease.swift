/// Who acts on a bucket, as the small object says that keeps two ledgers from repairing it at once.
///
/// A lease has no end in time: it is given back, or taken over by the ledger that wrote it.
package struct Lease: Hashable, Sendable {
    /// Where it lies in every bucket, whatever the configuration says: never an object of the app.
    package static let key = ObjectKey(".mooring/lease")

    /// The ledger's own id.
    package var ledger: String
    /// The machine that the process runs on.
    package var host: String
    /// The ledger's file there.
    package var path: String
    /// The name of the command that acts, for whoever is refused.
    package var command: String
    /// The text of that command's run, by which it knows the lease for its own.
    package var run: String
    /// When it was taken.
    package var since: Instant

    /// A lease.
    package init(
        ledger: String, host: String, path: String, command: String, run: String, since: Instant
    ) {
        self.ledger = ledger
        self.host = host
        self.path = path
        self.command = command
        self.run = run
        self.since = since
    }
}

extension Lease {
    private static let schema = "mooring.lease/1"

    /// The lease as its object holds it, with a line feed at the end.
    package var content: [UInt8] {
        JSONValue.members([
            "schema": .string(Self.schema), "ledger": .string(ledger), "host": .string(host),
            "path": .string(path), "command": .string(command), "run": .string(run),
            "since": .moment(since),
        ]).prettyRendered
    }

    /// Reads a lease back; nil when the bytes are none, or one of a later form.
    package init?(_ content: [UInt8]) {
        do {
            let node = try JSONNode(parsing: content)
            guard try node.required("schema") == Self.schema else { return nil }
            self.init(
                ledger: try node.required("ledger"), host: try node.required("host"),
                path: try node.required("path"), command: try node.required("command"),
                run: try node.required("run"), since: try node.moment("since"))
        } catch {
            return nil
        }
    }
}

/// A lease as it was found in a store: its bytes, and what tells this one from any other.
package struct FoundLease: Hashable, Sendable {
    /// The bytes; of a very long object only its beginning.
    package let content: [UInt8]
    /// The object's ETag, or what stands for it.
    package let tag: String

    /// A lease with its tag.
    package init(content: [UInt8], tag: String) {
        self.content = content
        self.tag = tag
    }

    /// Who holds it; nil when it cannot be read.
    package var lease: Lease? { Lease(content) }
}

/// A store's lease, as it is read.
package protocol LeaseReader: Sendable {
    /// The lease that is there now, complete; nil when there is none. Throws `StoreError` when it
    /// cannot tell.
    func readLease() async throws -> FoundLease?
}

/// What a store must be able to do to hold a lease: conditional writes of one small object, such
/// as S3 offers with If-None-Match and If-Match.
///
/// Each throws `StoreError` when it cannot tell what came of it; then the lease has to be read.
package protocol LeaseStore: LeaseReader {
    /// Writes a lease where there is none; nil when there is one by now, which stays.
    func createLease(_ content: [UInt8]) async throws -> FoundLease?

    /// Puts another lease in the place of the one that was read; nil when that is not there any
    /// more, and then nothing changed.
    func replaceLease(_ found: FoundLease, with content: [UInt8]) async throws -> FoundLease?

    /// Removes the lease that was read; false when that is not there any more, and then nothing
    /// changed.
    func removeLease(_ found: FoundLease) async throws -> Bool
}
