import MooringConfiguration
import MooringFiles
import MooringModel
import MooringText

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

    /// Records in Parquet, as Spark reads them. Throws why it does not.
    static func parquet(
        _ path: String, _ mapping: ModelMapping, _ files: inout [String: OriginalFile]
    ) throws(Reason) -> SparkFile {
        let records: ParquetRecords
        do throws(ReadFailure) { records = try ParquetRecords(path) } catch {
            throw Reason("it \(error.reason)")
        }
        for (name, kind) in records.columns.sorted(by: { $0.key < $1.key }) {
            let isPlain = name.utf8.allSatisfy { byte in
                byte >= 0x20 && byte < 0x7F && !"'\"\\`".utf8.contains(byte)
            }
            guard isPlain else { throw Reason("the name of its column '\(name)' is not read") }
            guard kind != .other else {
                throw Reason("its column '\(name)' is of a type that is not read: leave it out")
            }
        }
        for column in mapping.columns where records.columns[column] == nil {
            throw Reason("its files have no column '\(column.printable)'")
        }
        for (column, kinds) in mapping.kinds {
            guard let kind = records.columns[column], kinds.contains(kind) else {
                throw Reason("its column '\(column)' is of another type than its values need")
            }
        }
        let file = SparkFile(
            path: path, parts: records.parts, attributes: mapping.columns, cells: records.columns)
        if let misfit = misfit(file) { throw Reason(misfit) }
        var faces: [String: FileFace] = [:]
        for part in records.parts { faces[part] = try columnFace(part) }
        // All of them are as old as the oldest.
        guard let face = faces.values.min(by: { $0.modified < $1.modified }) else {
            throw Reason("it has no files")
        }
        var original = OriginalFile(path: path, face: face)
        (original.parts, original.haveLines) = (faces, false)
        (original.summed, original.columns) = (records, records)
        files[path] = original
        return file
    }

    /// A bucket that nothing is left out of, for a reason. One in files of columns is handed on
    /// whole where that is the configuration, and is read by nobody where it is the bucket itself.
    static func rest(
        _ number: Int, _ bucket: BucketConfiguration,
        _ known: (mapping: BucketMapping, reason: String, isMisfit: Bool),
        _ listings: inout [SparkListing], _ files: inout [String: OriginalFile]
    ) -> Rest {
        let reason = known.reason
        guard case .inventory(let path, let taken) = bucket.store,
            InventoryFace.isOfColumns(manifest: path)
        else { return Rest(bucket: number, bucket.name, reason, unread: nil) }
        guard known.isMisfit else { return Rest(bucket: number, bucket.name, reason, unread: path) }
        do throws(Reason) {
            var listing = try inventory(number, path, taken, known.mapping, &files)
            listing.isWhole = true
            listings.append(listing)
            return Rest(bucket: number, bucket.name, reason, unread: nil)
        } catch {
            return Rest(bucket: number, bucket.name, error.text, unread: path)
        }
    }

    /// Records that nothing is left out of, for a reason. Those in Parquet are handed on whole, or
    /// read by nobody where they cannot be.
    static func rest(
        _ number: Int, _ source: RecordsConfiguration, _ reason: String,
        _ tables: inout [SparkTable], _ files: inout [String: OriginalFile]
    ) -> Rest {
        guard case .parquet(let path, let taken) = source.store else {
            return Rest(records: source.name, reason, unread: nil)
        }
        guard let mapping = source.mapping.models.first, source.mapping.models.count == 1 else {
            return Rest(records: source.name, reason, unread: path)
        }
        do throws(Reason) {
            var table = SparkTable(
                of: (source.name, taken), model: number,
                file: try parquet(path, mapping, &files), mapping: mapping,
                buckets: mapping.files.map { _ in 0 })
            table.isWhole = true
            tables.append(table)
            return Rest(records: source.name, reason, unread: nil)
        } catch {
            return Rest(records: source.name, error.text, unread: path)
        }
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
                let what = file.form == .attributes ? "it" : "its manifest"
                plan = plan.without(file, "\(what) \(error.reason)")
            }
        }
        return (plan, sums)
    }

    // What one pattern does not tell.
    private static func misfit(_ file: SparkFile) -> String? {
        guard !file.parts.isEmpty else { return "its manifest names no files" }
        let folders = Set(file.parts.map { $0.split(separator: "/").dropLast() })
        guard folders.count == 1 else { return "its files lie in several folders" }
        if file.parts.count > 1, file.parts[0].contains(":") {
            return "Spark takes the colon in their folder's name for something else"
        }
        guard Set(file.names).count == file.names.count else {
            return "two of its files have one name"
        }
        let isPlain = file.names.allSatisfy { name in
            name.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
                    || "-_.".utf8.contains(byte)
            } && !isPassedOver(name)
        }
        return isPlain ? nil : "Spark takes a character in a file's name for something else"
    }
}

extension ModelMapping {
    // What a column may hold by what it is mapped to.
    fileprivate var kinds: [(column: String, kinds: [ColumnKind])] {
        let texts: [ColumnKind] = [.text, .integer]
        var all = (id + [identity].compactMap { $0 }).map { ($0, texts) }
        all += [version].compactMap { $0 }.map { ($0, texts) }
        all += [deleted].compactMap { $0 }.map { ($0, texts + [.truth]) }
        all += [changed].compactMap { $0 }.map { ($0, texts + [.moment, .clock]) }
        all += files.map { ($0.column, $0.isList ? [.text, .texts] : [.text]) }
        return all
    }
}
