package import MooringModel
import MooringText

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
    package var path: String { file.path }
    private let file: CopyFile

    /// An inventory by the path of its manifest; `taken` is when it was made, by default what the
    /// manifest says.
    package init(name: String, manifest: String, taken: Instant? = nil) {
        self.name = name
        file = CopyFile(path: manifest, taken: taken)
    }

    /// Lists the current objects, file by file in the manifest's order; a row that cannot be read
    /// is a problem, and the rest is listed.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        try await readAhead(InventoryReading(file)) { slabs in
            for slab in slabs { try await receive(ObjectBatch(slab)) }
        }
    }
}

/// Reads the parts of an inventory, one after the other.
private actor InventoryReading: FileReading {
    private let file: CopyFile
    private let places: InventoryPlaces
    private var problems = ProblemList()
    private var notes: [String] = []
    private var manifest: InventoryManifest?
    private var waiting: ArraySlice<InventoryPart> = []
    private var current: InventoryRows?

    // So many full slabs are handed over at once.
    private static let slabsAhead = 4
    private static let room = 1 << 18

    /// A reading that has not begun.
    init(_ file: CopyFile) {
        self.file = file
        places = InventoryPlaces(manifest: file.path)
    }

    /// Reads the manifest; without one that can be trusted no part is read.
    func begin() {
        do throws(ReadFailure) {
            let manifest = try readManifest()
            self.manifest = manifest
            waiting = manifest.parts[...]
            notes += manifest.columns.notes
        } catch {
            refuse(error.reason)
        }
    }

    private func readManifest() throws(ReadFailure) -> InventoryManifest {
        let read = try InventoryManifest.read(file.path)
        let name = InventoryPlaces.name(of: places.checksum).printable
        if try places.isThere(places.checksum) {
            let said = try InventoryManifest.read(places.checksum).bytes
            guard Hexadecimal.checksum(said) == read.checksum else {
                throw ReadFailure(
                    reason: "is not the file whose MD5 the \(name) beside it tells: it is damaged, "
                        + "or of another inventory, and nothing is read by it; copy both again")
            }
        } else {
            notes.append(
                "no \(name) stands beside the manifest, so that nobody can tell whether S3 had "
                    + "finished the inventory")
        }
        let manifest = try InventoryManifest(read.bytes)
        guard file.taken == nil else { return manifest }
        guard let created = manifest.created else {
            throw ReadFailure(
                reason: "has no creationTimestamp in milliseconds since 1970, so that nobody can "
                    + "tell of when the inventory is; say it as 'taken'")
        }
        // A moment ahead would call everything old that is young.
        guard created <= .now + .days(1) else {
            throw ReadFailure(
                reason: "says that the inventory is of \(created.iso8601), which is still to come; "
                    + "say as 'taken' of when it is")
        }
        return manifest
    }

    private func refuse(_ reason: String) {
        problems.add(ScanProblem(place: file.path, reason: reason))
    }

    /// The next slabs; none at the end.
    func next() -> [ObjectSlab] {
        var slabs: [ObjectSlab] = []
        while slabs.count < Self.slabsAhead {
            guard let rows = current ?? open() else { break }
            current = rows
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
    private func open() -> InventoryRows? {
        guard let manifest else { return nil }
        while let part = waiting.popFirst() {
            do throws(ReadFailure) {
                guard let path = try places.path(of: part) else {
                    refuse(
                        "its part '\(part.key.printablePath)' is missing; copy it from bucket "
                            + "'\(manifest.destination.printable)' to beside the manifest")
                    continue
                }
                return try InventoryRows(part, at: path, of: manifest, &problems)
            } catch {
                refuse("its part '\(part.key.printablePath)' \(error.reason)")
            }
        }
        return nil
    }

    /// The result, when there are no slabs any more.
    func finish() -> ScanResult {
        let moment = file.taken ?? manifest?.created ?? .now
        // S3 lists for hours, and the manifest tells when it began.
        var result = problems.result(
            window: ScanWindow(from: moment, to: moment), consistency: "moving")
        result.notes = notes
        return result
    }
}
