import MooringModel

/// Reads the `inventory` beside the `s3` of a bucket.
struct InventoryReader {
    /// The section of the bucket.
    let section: Section

    private static let scheme = "s3://"

    /// The inventory; nil after a problem was reported.
    func read() -> S3Settings.Inventory? {
        guard let place = place() else { return nil }
        var inventory = S3Settings.Inventory(manifest: place)
        if let longest = section.duration("inventoryAge") {
            guard longest > .zero else {
                section.report("'inventoryAge' needs more than no time at all", at: "inventoryAge")
                return nil
            }
            inventory.longest = longest
        }
        return inventory
    }

    /// Where its manifest lies; nil after a problem was reported.
    func place() -> S3Settings.Inventory.Place? {
        guard let text = section.filled("inventory") else { return nil }
        guard text.value.hasPrefix(Self.scheme) else {
            return section.path("inventory").map { .file($0) }
        }
        let parts = text.value.dropFirst(Self.scheme.count).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let bucket = parts.first.map(String.init) ?? ""
        guard parts.count == 2, S3Reader.isBucketName(bucket), parts[1].hasSuffix(".json") else {
            section.context.report(
                "'inventory' needs the manifest.json of an inventory, as "
                    + "s3://BUCKET/…/manifest.json or as a file; found '\(text.shown)'",
                line: text.line)
            return nil
        }
        return .object(bucket: bucket, key: String(parts[1]))
    }
}
