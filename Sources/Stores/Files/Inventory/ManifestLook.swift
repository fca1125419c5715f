import MooringModel
import MooringText

/// A look at an inventory's manifest, before any row is read: whether it is the one that was
/// written, all of it, and of a moment that can be judged by.
struct ManifestLook {
    /// Where its files are read.
    let files: any InventoryFiles
    /// When somebody says that the inventory was made.
    let taken: Instant?
    /// What it has to be beside a live bucket.
    let demands: InventoryDemands?
    /// What of the bucket is looked at.
    let scope: InventoryScope

    // So far ahead a moment may be that another machine's clock told; `clockBound` is as much.
    private static let clockDifference = Duration.minutes(5)

    /// The manifest, once nothing speaks against it; what has to be said of it is added to notes.
    /// Throws `ReadFailure` that says why nothing is read by it.
    func manifest(_ notes: inout [String]) async throws(ReadFailure) -> InventoryManifest {
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
        try checkEnd(of: manifest, isSummed: said != nil, &notes)
        if let demands { try check(manifest, demands) }
        try checkMoment(of: manifest)
        return manifest
    }

    // Whether all of it is written: a checksum comes last, where the product writes one.
    private func checkEnd(
        of manifest: InventoryManifest, isSummed: Bool, _ notes: inout [String]
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
}
