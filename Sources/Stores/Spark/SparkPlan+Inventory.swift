import MooringFiles
import MooringModel

extension SparkPlan {
    /// An inventory of a bucket, as Spark reads it. Throws why it does not.
    static func inventory(
        _ number: Int, _ manifest: String, _ taken: Instant?, _ mapping: BucketMapping,
        _ files: inout [String: OriginalFile]
    ) throws(Reason) -> SparkListing {
        let inventory: InventoryFace
        let face: FileFace
        do throws(ReadFailure) {
            inventory = try InventoryFace(
                name: mapping.name, manifest: manifest, taken: taken, prefixes: mapping.prefixes)
            face = try FileFace(path: manifest)
        } catch {
            throw Reason("its manifest \(error.reason)")
        }
        let file = SparkFile(
            path: manifest, parts: inventory.parts, columns: inventory.columns)
        if let misfit = misfit(file) { throw Reason(misfit) }
        var original = OriginalFile(path: manifest, face: face)
        for part in inventory.parts { original.parts[part] = try self.face(part) }
        original.inventory = inventory
        files[manifest] = original
        return SparkListing(
            bucket: number, file: file, mapping: mapping, taken: taken,
            inventoried: inventory.bucket)
    }

    /// The plan without the inventories that are not what an audit reads by, which Mooring reads,
    /// saying so as ever; and what the files of the others hold, by their manifests. All of these
    /// files are read for that.
    func summed() async -> (plan: SparkPlan, sums: [String: RowSum]) {
        var (plan, sums): (SparkPlan, [String: RowSum]) = (self, [:])
        for listing in listings {
            let path = listing.file.path
            guard let inventory = files[path]?.inventory else { continue }
            do throws(ReadFailure) { sums[path] = try await inventory.sum() } catch {
                plan = plan.without(listing, "its manifest \(error.reason)")
            }
        }
        return (plan, sums)
    }

    // What one pattern does not tell.
    private static func misfit(_ file: SparkFile) -> String? {
        guard !file.parts.isEmpty else { return "its manifest names no files" }
        let folders = Set(file.parts.map { $0.split(separator: "/").dropLast() })
        guard folders.count == 1 else { return "its files lie in several folders" }
        guard Set(file.names).count == file.names.count else {
            return "two of its files have one name"
        }
        // Spark passes over names that begin with a full stop or an underscore.
        let isPlain = file.names.allSatisfy { name in
            name.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
                    || "-_.".utf8.contains(byte)
            } && !name.hasPrefix(".") && !name.hasPrefix("_")
        }
        return isPlain ? nil : "Spark takes a character in a file's name for something else"
    }
}
