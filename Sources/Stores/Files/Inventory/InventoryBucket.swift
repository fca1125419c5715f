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

    /// An inventory of S3 of which some rows alone are read, that lie in a file of their own, in
    /// the manifest's order: the lines of its parts as they stand there, or, of files of columns,
    /// lines as those of CSV.
    package init(
        name: String, manifest: String, taken: Instant?, prefixes: [ObjectKey],
        rows: InventoryExtract
    ) {
        self.name = name
        self.taken = taken
        demands = nil
        scope = InventoryScope(
            bucket: name, prefixes: prefixes.map(\.bytes), takesColumns: true)
        files = ExtractFiles(of: InventoryFolder(manifest: manifest), rows: rows)
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
    private let look: ManifestLook
    private var problems = ProblemList()
    private var notes: [String] = []
    private var manifest: InventoryManifest?
    private var waiting: ArraySlice<InventoryPart> = []
    private var current: (any PartRows)?
    // Of a product whose files have a header.
    private var tally: ReportTally?

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
        look = ManifestLook(files: files, taken: taken, demands: demands, scope: scope)
    }

    /// Reads the manifest; without one that can be trusted no part is read.
    func begin() async {
        var told: [String] = []
        defer { notes += told }
        do throws(ReadFailure) {
            let manifest = try await look.manifest(&told)
            self.manifest = manifest
            waiting = files.parts(of: manifest)[...]
            told += manifest.notes
            if case .headed(let layout, _) = manifest.content {
                tally = ReportTally(layout)
            }
        } catch {
            refuse(error.reason)
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
