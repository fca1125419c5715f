import Glibc
import MooringModel

@testable import MooringS3

/// A temporary folder with one spool, and listings that are kept there and broken off.
final class SpoolFolder {
    struct Killed: Error {}

    let path: String
    /// What was given, in all attempts since the last call of `forget`.
    var given: [ListedObject] = []
    /// How the listings end: after so many batches; nil for never.
    var patience: Int?
    var now = Instant(seconds: 1_700_000_000)
    private let folder: String

    init() {
        var template = Array("/tmp/mooring-spool-XXXXXX".utf8CString)
        folder = mkdtemp(&template).map { String(cString: $0) } ?? "/nowhere"
        path = folder + "/ledger.listing-1"
    }

    deinit {
        unlink(path)
        rmdir(path)
        rmdir(folder)
    }

    var keys: [[UInt8]] { given.map(\.key.bytes) }

    /// The spool's bytes; nil where there is none.
    var bytes: [UInt8]? {
        get {
            let file = open(path, O_RDONLY | O_NONBLOCK)
            guard file >= 0 else { return nil }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 20)
            let count = read(file, &bytes, bytes.count)
            return count < 0 ? nil : Array(bytes[..<count])
        }
        set {
            guard let newValue else {
                unlink(path)
                return
            }
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            _ = write(file, newValue, newValue.count)
            close(file)
        }
    }

    /// The bits of the file's permissions.
    var mode: mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    func place(
        basis: String? = "b", oldest: Duration = .seconds(3_600), interval: Duration = .zero
    ) -> SpoolPlace {
        SpoolPlace(path: path, oldest: oldest, interval: interval) { basis }
    }

    /// Lists a bucket anew or from where it was broken off; throws `Killed` when patience ends.
    func list(
        _ store: FakeS3, _ scope: ListingScope = ListingScope(),
        at place: SpoolPlace? = nil, of name: String = "s3.test/b"
    ) async throws -> ScanResult {
        given = []
        var left = patience ?? .max
        let now = now
        let listing = S3Listing(
            Listings.of(store).client, concurrency: 5, pageSize: 1_000, clock: { now })
        return try await listing.objectBatches(
            scope, of: name, spooledAt: place ?? self.place()
        ) { batch in
            self.given += batch.objects
            left -= 1
            if left == 0 { throw Killed() }
        }
    }

    /// Lists versions, as earlier programs did, and is broken off after so many batches.
    func breakOffVersions(_ store: FakeS3, after batches: Int) async throws {
        let scope = ListingScope()
        let spool = ListingSpool(
            place(), store: "s3.test/b", scope: scope, call: "ListObjectVersions", begunAt: now)
        _ = spool.earlier()
        let now = now
        let listing = S3Listing(
            Listings.of(store).client, concurrency: 5, pageSize: 1_000, clock: { now })
        var run = ListingRun<ListedVersion>(listing, scope, resuming: nil)
        var left = batches
        do {
            _ = try await run.run(spool: spool) { batch in
                spool.keep(
                    ObjectBatch(batch.map { ListedObject(key: $0.key, version: $0.version) }))
                left -= 1
                if left == 0 { throw Killed() }
            }
        } catch is Killed {}
    }

    /// Lists, and is broken off after so many batches.
    func breakOff(
        _ store: FakeS3, after batches: Int, _ scope: ListingScope = ListingScope(),
        at place: SpoolPlace? = nil
    ) async throws {
        patience = batches
        defer { patience = nil }
        do {
            _ = try await list(store, scope, at: place)
        } catch is Killed {}
    }
}
