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

/// A bucket as a product of its store listed it: S3 Inventory, an inventory report of Cloud
/// Storage, or a Blob inventory of Azure. It is a manifest and the files of CSV that it names;
/// which product it is, its members tell.
///
/// S3 and Azure list while the bucket changes, and promise neither that an object written shortly
/// before is in it, nor that one removed shortly before is not; Cloud Storage lists a snapshot.
/// Each file is checked by what its manifest tells of it; what is missing or damaged makes the scan
/// incomplete.
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
    private let scope: InventoryScope

    /// An inventory by the path of its manifest; `taken` is when it was made, by default what the
    /// manifest says. Of the bucket only these prefixes are looked at, or all of it where there are
    /// none; its name is that of the container in an inventory of Azure.
    package init(
        name: String, manifest: String, taken: Instant? = nil, prefixes: [ObjectKey] = [],
        demands: InventoryDemands? = nil
    ) {
        self.name = name
        self.taken = taken
        self.demands = demands
        scope = InventoryScope(bucket: name, prefixes: prefixes.map(\.bytes))
        files = InventoryFolder(manifest: manifest)
    }

    /// An inventory of S3 by the key of its manifest in a store; a folder for scratch takes one of
    /// its files at a time.
    package init(
        name: String, manifest: String, in store: any InventoryStore, scratch: String,
        demands: InventoryDemands
    ) {
        self.name = name
        taken = nil
        self.demands = demands
        scope = InventoryScope(bucket: name)
        files = StoredInventory(manifest: manifest, store: store, scratch: scratch)
    }

    /// Lists the current objects, file by file in the manifest's order; a row that cannot be read
    /// is a problem, and the rest is listed.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        try await readAhead(InventoryReading(files, taken: taken, demands, scope)) { slabs in
            for slab in slabs { try await receive(ObjectBatch(slab)) }
        }
    }
}

/// Reads the parts of an inventory, one after the other.
private actor InventoryReading: FileReading {
    private let files: any InventoryFiles
    private let taken: Instant?
    private let demands: InventoryDemands?
    private let scope: InventoryScope
    private var problems = ProblemList()
    private var notes: [String] = []
    private var manifest: InventoryManifest?
    private var waiting: ArraySlice<InventoryPart> = []
    private var current: (any PartRows)?
    // Of a product whose files have a header.
    private var tally: ReportTally?

    // So far ahead a moment may be that another machine's clock told; `clockBound` is as much.
    private static let clockDifference = Duration.minutes(5)
    // So many full slabs are handed over at once.
    private static let slabsAhead = 4
    private static let room = 1 << 18

    /// A reading that has not begun.
    init(
        _ files: any InventoryFiles, taken: Instant?, _ demands: InventoryDemands?,
        _ scope: InventoryScope
    ) {
        self.files = files
        self.taken = taken
        self.demands = demands
        self.scope = scope
    }

    /// Reads the manifest; without one that can be trusted no part is read.
    func begin() async {
        do throws(ReadFailure) {
            let manifest = try await readManifest()
            self.manifest = manifest
            waiting = manifest.parts[...]
            notes += manifest.notes
            if case .headed(let layout, _) = manifest.content {
                tally = ReportTally(layout)
            }
        } catch {
            refuse(error.reason)
        }
    }

    private func readManifest() async throws(ReadFailure) -> InventoryManifest {
        // First, since it is written last: what it tells is of this manifest or of an older one.
        let said = try await files.checksum()
        let read = try await files.manifest()
        if let said, Hexadecimal.checksum(said) != read.checksum {
            throw ReadFailure(
                reason: "is not the file whose MD5 the \(files.checksumName) beside it tells: it "
                    + "is damaged, or of another inventory, and nothing is read by it; copy both "
                    + "again")
        }
        let manifest = try InventoryManifest(read.bytes, for: scope)
        try checkEnd(of: manifest, isSummed: said != nil)
        if let demands { try check(manifest, demands) }
        try checkMoment(of: manifest)
        return manifest
    }

    // Whether all of it is written: a checksum comes last, where the product writes one.
    private func checkEnd(
        of manifest: InventoryManifest, isSummed: Bool
    ) throws(ReadFailure) {
        guard !isSummed, manifest.product != .gcs else { return }
        let name = files.checksumName
        guard demands == nil, manifest.product == .s3 else {
            let writer = manifest.product == .s3 ? "S3" : "Azure"
            throw ReadFailure(
                reason: "has no \(name) beside it, which \(writer) writes last: the inventory is "
                    + "still being written, and nothing is read by it; name the one before, or wait"
            )
        }
        notes.append(
            "no \(name) stands beside the manifest, so that nobody can tell whether S3 had "
                + "finished the inventory")
    }

    private func check(
        _ manifest: InventoryManifest, _ demands: InventoryDemands
    ) throws(ReadFailure) {
        guard let source = manifest.source else {
            throw ReadFailure(
                reason: "is of \(manifest.product.name), and beside 's3' only an inventory of S3 "
                    + "is read; name it as 'inventory' of a bucket without 's3', for findings only")
        }
        guard source != demands.bucket else { return }
        throw ReadFailure(
            reason: "says that it lists bucket '\(source.printable)', and not "
                + "'\(demands.bucket.printable)', so nothing is read by it; name an inventory of "
                + "this bucket")
    }

    private func checkMoment(of manifest: InventoryManifest) throws(ReadFailure) {
        guard taken == nil else { return }
        guard let created = manifest.created else {
            throw ReadFailure(
                reason: "has no \(Self.momentName(manifest.product)), so that nobody can tell of "
                    + "when the inventory is"
                    + (demands == nil ? "; say it as 'taken'" : "; name another one"))
        }
        // A moment ahead would call everything old that is young.
        guard created <= .now + Self.clockDifference else {
            throw ReadFailure(
                reason: "says that the inventory is of \(created.iso8601), which is still to come; "
                    + (demands == nil ? "say as 'taken' of when it is" : "name another one"))
        }
    }

    private static func momentName(_ product: InventoryProduct) -> String {
        switch product {
        case .s3: "creationTimestamp in milliseconds since 1970"
        case .gcs: "snapshot_time in ISO 8601"
        case .azure: "inventoryStartTime in ISO 8601"
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
    private func open() async -> (any PartRows)? {
        guard let manifest else { return nil }
        while let part = waiting.popFirst() {
            do throws(ReadFailure) {
                guard let file = try await files.open(part) else {
                    refuse(
                        "its part '\(part.key.printablePath)' is missing; "
                            + files.adviceOnMissing(in: manifest.destination))
                    continue
                }
                if let rows = rows(of: part, file, manifest) { return rows }
            } catch {
                refuse("its part '\(part.key.printablePath)' \(error.reason)")
            }
        }
        return nil
    }

    private func rows(
        of part: InventoryPart, _ file: OpenedPart, _ manifest: InventoryManifest
    ) -> (any PartRows)? {
        switch manifest.content {
        case .s3(let bucket, let columns):
            return InventoryRows(part, file, of: bucket, columns, &problems)
        case .headed(let layout, _):
            guard let tally else { return nil }
            return ReportRows(part, file, layout, tally, &problems)
        }
    }

    /// The result, when there are no slabs any more.
    func finish() -> ScanResult {
        if case .headed(_, let promised) = manifest?.content,
            let doubt = tally?.doubt(promised: promised)
        {
            refuse(doubt)
        }
        let moment = min(taken ?? manifest?.created ?? .now, .now)
        // Who lists for hours tells when that began.
        var result = problems.result(
            window: ScanWindow(from: moment, to: moment),
            consistency: manifest?.consistency ?? "moving")
        result.notes = notes
        return result
    }
}
