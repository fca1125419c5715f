package import MooringModel
import MooringText

/// What an inventory has to be that stands beside the live bucket which it lists.
package struct InventoryDemands: Hashable, Sendable {
    /// The bucket's own name in the store.
    package let bucket: String

    /// The demands on an inventory of this bucket: that it is of this one, and that S3 had finished
    /// it.
    package init(bucket: String) {
        self.bucket = bucket
    }
}

/// A bucket as S3 Inventory listed it: a `manifest.json` and the gzip files of CSV that it names.
///
/// S3 lists while the bucket changes, and promises neither that
/// an object written shortly before is in it, nor that one removed shortly before is not. Each file
/// is checked by its size and its MD5; what is missing or damaged makes the scan incomplete.
package struct InventoryBucket: CopyBucket {
    /// The source's name in the configuration.
    package let name: String
    /// How the configuration spells the kind.
    package let kind = "inventory"
    /// How an error calls it.
    package let noun = "an inventory"
    /// The manifest.
    package var path: String { files.place }
    private let files: any InventoryFiles
    private let taken: Instant?
    private let demands: InventoryDemands?

    /// An inventory by the path of its manifest; `taken` is when it was made, by default what the
    /// manifest says.
    package init(
        name: String, manifest: String, taken: Instant? = nil, demands: InventoryDemands? = nil
    ) {
        self.name = name
        self.taken = taken
        self.demands = demands
        files = InventoryFolder(manifest: manifest)
    }

    /// An inventory by the key of its manifest in a store; a folder for scratch takes one of its
    /// files at a time.
    package init(
        name: String, manifest: String, in store: any InventoryStore, scratch: String,
        demands: InventoryDemands
    ) {
        self.name = name
        taken = nil
        self.demands = demands
        files = StoredInventory(manifest: manifest, store: store, scratch: scratch)
    }

    /// Lists the current objects, file by file in the manifest's order; a row that cannot be read
    /// is a problem, and the rest is listed.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        try await readAhead(InventoryReading(files, taken: taken, demands)) { slabs in
            for slab in slabs { try await receive(ObjectBatch(slab)) }
        }
    }
}

/// Reads the parts of an inventory, one after the other.
private actor InventoryReading: FileReading {
    private let files: any InventoryFiles
    private let taken: Instant?
    private let demands: InventoryDemands?
    private var problems = ProblemList()
    private var notes: [String] = []
    private var manifest: InventoryManifest?
    private var waiting: ArraySlice<InventoryPart> = []
    private var current: InventoryRows?

    // So many full slabs are handed over at once.
    private static let slabsAhead = 4
    private static let room = 1 << 18

    /// A reading that has not begun.
    init(_ files: any InventoryFiles, taken: Instant?, _ demands: InventoryDemands?) {
        self.files = files
        self.taken = taken
        self.demands = demands
    }

    /// Reads the manifest; without one that can be trusted no part is read.
    func begin() async {
        do throws(ReadFailure) {
            let manifest = try await readManifest()
            self.manifest = manifest
            waiting = manifest.parts[...]
            notes += manifest.columns.notes
        } catch {
            refuse(error.reason)
        }
    }

    private func readManifest() async throws(ReadFailure) -> InventoryManifest {
        // First, since S3 writes it last: what it tells is of this manifest or of an older one.
        let said = try await files.checksum()
        let read = try await files.manifest()
        let name = files.checksumName
        if let said {
            guard Hexadecimal.checksum(said) == read.checksum else {
                throw ReadFailure(
                    reason: "is not the file whose MD5 the \(name) beside it tells: it is damaged, "
                        + "or of another inventory, and nothing is read by it; copy both again")
            }
        } else if demands != nil {
            throw ReadFailure(
                reason: "has no \(name) beside it, which S3 writes last: the inventory is still "
                    + "being written, and nothing is read by it; name the one before, or wait")
        } else {
            notes.append(
                "no \(name) stands beside the manifest, so that nobody can tell whether S3 had "
                    + "finished the inventory")
        }
        let manifest = try InventoryManifest(read.bytes)
        if let demands, manifest.source != demands.bucket {
            throw ReadFailure(
                reason: "says that it lists bucket '\(manifest.source.printable)', and not "
                    + "'\(demands.bucket.printable)', so nothing is read by it; name an inventory "
                    + "of this bucket")
        }
        try checkMoment(of: manifest)
        return manifest
    }

    private func checkMoment(of manifest: InventoryManifest) throws(ReadFailure) {
        guard taken == nil else { return }
        guard let created = manifest.created else {
            throw ReadFailure(
                reason: "has no creationTimestamp in milliseconds since 1970, so that nobody can "
                    + "tell of when the inventory is"
                    + (demands == nil ? "; say it as 'taken'" : "; name another one"))
        }
        // A moment ahead would call everything old that is young.
        guard created <= .now + .days(1) else {
            throw ReadFailure(
                reason: "says that the inventory is of \(created.iso8601), which is still to come; "
                    + (demands == nil ? "say as 'taken' of when it is" : "name another one"))
        }
    }

    private func refuse(_ reason: String) {
        problems.add(ScanProblem(place: files.place, reason: reason))
    }

    /// The next slabs; none at the end.
    func next() async -> [ObjectSlab] {
        var slabs: [ObjectSlab] = []
        while slabs.count < Self.slabsAhead {
            if current == nil { current = await open() }
            guard let rows = current else { break }
            var slab = ObjectSlab()
            slab.reserve(objects: ListingBucket.batchSize, bytes: Self.room)
            let isFull = rows.fill(&slab, &problems)
            if slab.count > 0 { slabs.append(slab) }
            if !isFull {
                rows.check(&problems)
                current = nil
            }
        }
        return slabs
    }

    // The rows of the next part that can be opened; nil behind the last.
    private func open() async -> InventoryRows? {
        guard let manifest else { return nil }
        while let part = waiting.popFirst() {
            do throws(ReadFailure) {
                guard let file = try await files.open(part) else {
                    refuse(
                        "its part '\(part.key.printablePath)' is missing; "
                            + files.adviceOnMissing(in: manifest.destination))
                    continue
                }
                return InventoryRows(part, file, of: manifest, &problems)
            } catch {
                refuse("its part '\(part.key.printablePath)' \(error.reason)")
            }
        }
        return nil
    }

    /// The result, when there are no slabs any more.
    func finish() -> ScanResult {
        let moment = taken ?? manifest?.created ?? .now
        // S3 lists for hours, and the manifest tells when it began.
        var result = problems.result(
            window: ScanWindow(from: moment, to: moment), consistency: "moving")
        result.notes = notes
        return result
    }
}
