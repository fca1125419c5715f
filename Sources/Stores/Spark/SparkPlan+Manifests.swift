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
        let file =
            switch inventory.format {
            case .csv:
                SparkFile(path: manifest, parts: inventory.parts, columns: inventory.columns)
            case .columns(let format):
                SparkFile(path: manifest, parts: inventory.parts, cells: inventory.columns, format)
            }
        if let misfit = misfit(file) { throw Reason(misfit) }
        var original = OriginalFile(path: manifest, face: face)
        original.haveLines = file.format == nil
        for part in inventory.parts {
            original.parts[part] =
                file.format == nil ? try self.face(part) : try columnFace(part)
        }
        original.summed = inventory
        files[manifest] = original
        return SparkListing(
            bucket: number, file: file, mapping: mapping, taken: taken,
            inventoried: inventory.bucket)
    }

    // A file of columns that Spark can be asked to read. Throws why it cannot.
    private static func columnFace(_ path: String) throws(Reason) -> FileFace {
        guard SQLText.isPlain(path: path) else {
            throw Reason("Spark takes a character in its path for a pattern")
        }
        do throws(ReadFailure) { return try FileFace(ofNoLines: path) } catch {
            throw Reason("it cannot be read here")
        }
    }

    /// An export of a model's table, as Spark reads it. Throws why it does not.
    static func export(
        _ look: SparkExportLook?, _ mapping: ModelMapping, _ files: inout [String: OriginalFile]
    ) throws(Reason) -> SparkFile {
        let export: any SparkExport
        switch look {
        case .readable(let readable): export = readable
        case .unreadable(let reason): throw Reason(reason)
        case nil: throw Reason("it is of kind dynamodbExport, and was not looked at")
        }
        let file = SparkFile(
            path: export.path, parts: export.parts, attributes: mapping.columns)
        if let misfit = misfit(file) { throw Reason(misfit) }
        let face: FileFace
        do throws(ReadFailure) { face = try FileFace(path: export.path) } catch {
            throw Reason("its manifest \(error.reason)")
        }
        var original = OriginalFile(path: export.path, face: face)
        for part in export.parts + export.manifests {
            original.parts[part] = try self.face(part)
        }
        (original.summed, original.export) = (export, export)
        files[export.path] = original
        return file
    }

    /// The plan without those sides whose files are not what their manifests name, which Mooring
    /// reads, saying so as ever; and what the files of the others hold, by their manifests. All of
    /// these files are read for that.
    func summed() async -> (plan: SparkPlan, sums: [String: RowSum]) {
        var (plan, sums): (SparkPlan, [String: RowSum]) = (self, [:])
        for file in listings.map(\.file) + tables.map(\.file) {
            guard let summed = files[file.path]?.summed else { continue }
            do throws(ReadFailure) { sums[file.path] = try await summed.sum() } catch {
                plan = plan.without(file, "its manifest \(error.reason)")
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
