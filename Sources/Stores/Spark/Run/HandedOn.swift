import MooringFiles
import MooringModel

/// Puts the lines that a stage handed on into files of the form that they are from, so that they
/// are read as these are.
struct HandedOn {
    private let folder: WorkFolder
    private let plan: SparkPlan
    private let stage: Int
    // The lines by the number of their model or bucket, as they were read.
    private let records: [Int: Lines]
    private let objects: [Int: Lines]

    // A file, and how many lines it has behind its header.
    private struct Lines {
        let rows: NewRows
        var count = 0
    }

    /// Reads what a stage handed on, line by line. Throws where a part is missing.
    init(_ folder: WorkFolder, _ plan: SparkPlan, stage: Int) throws(NarrowingFailure) {
        (self.folder, self.plan, self.stage) = (folder, plan, stage)
        records = try Self.lines(
            "records", folder, stage,
            Dictionary(plan.tables.map { ($0.model, $0.file) }) { $1 })
        objects = try Self.lines(
            "objects", folder, stage,
            Dictionary(plan.listings.map { ($0.bucket, $0.file) }) { $1 })
    }

    /// The source of a table; so many rows have to be there.
    func records(_ table: SparkTable, count: Int) throws -> SparkRecords {
        let original = try original(table.file)
        let rows = try rows("handed-records", records[table.model], count)
        let taken = table.taken ?? original.face.modified
        let lines: any CopySource
        if let export = original.export {
            lines = export.source(
                named: table.source, lines: rows.path, count: count, md5: rows.checksum.md5)
        } else if table.file.form == .fields {
            lines = CSVSource(
                name: table.source, file: rows.path, tables: [table.mapping.table], taken: taken)
        } else {
            lines = JSONLinesSource(
                name: table.source, file: rows.path, tables: [table.mapping.table], taken: taken)
        }
        return SparkRecords(name: table.source, original: original, lines: lines)
    }

    /// The bucket of a listing; so many objects have to be there.
    func objects(_ listing: SparkListing, count: Int) throws -> SparkObjects {
        let original = try original(listing.file)
        let rows = try rows("handed-objects", objects[listing.bucket], count)
        let name = listing.mapping.name
        let lines: any CopyBucket =
            listing.inventoried == nil
            ? ListingBucket(
                name: name, file: rows.path, taken: listing.taken ?? original.face.modified)
            : InventoryBucket(
                name: name, manifest: listing.file.path, taken: listing.taken,
                prefixes: listing.mapping.prefixes,
                rows: InventoryExtract(path: rows.path, rows.checksum))
        return SparkObjects(name: name, original: original, lines: lines)
    }

    private func original(_ file: SparkFile) throws -> OriginalFile {
        guard let original = plan.files[file.path] else {
            throw NarrowingFailure(found: "\(file.path) was not looked at", next: "report this")
        }
        return original
    }

    private func rows(_ name: String, _ lines: Lines?, _ count: Int) throws -> NewRows {
        guard let lines, lines.count == count else {
            throw Self.lost(
                folder, stage, name,
                "holds \(lines?.count ?? 0) lines, and \(count) were handed on")
        }
        return lines.rows
    }

    // Each line holds a number and the digits of the bytes; an empty one has none.
    private static func lines(
        _ name: String, _ folder: WorkFolder, _ stage: Int, _ files: [Int: SparkFile]
    ) throws(NarrowingFailure) -> [Int: Lines] {
        var found: [Int: Lines] = [:]
        for (number, file) in files {
            // By the ending some readers tell what they read.
            let ending = file.isFields ? "csv" : "jsonl"
            let rows = try NewRows("\(folder.path)/\(stage)-\(name)-\(number).\(ending)")
            if let header = file.header { try rows.append(header + [UInt8(ascii: "\n")]) }
            found[number] = Lines(rows: rows)
        }
        let handed = "handed-\(name)"
        let isWhole = try folder.eachLine(of: "\(stage)/\(handed)") {
            line throws(NarrowingFailure) in
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            guard words.count == 2, let number = Int(String(decoding: words[0], as: UTF8.self)),
                let bytes = decoded(words[1]), let rows = found[number]?.rows
            else { throw lost(folder, stage, handed, "is damaged") }
            try rows.append(bytes + [UInt8(ascii: "\n")])
            found[number]?.count += 1
        }
        guard isWhole else { throw lost(folder, stage, handed, "is not whole") }
        for lines in found.values { try lines.rows.end() }
        return found
    }

    private static func lost(
        _ folder: WorkFolder, _ stage: Int, _ name: String, _ what: String
    ) -> NarrowingFailure {
        NarrowingFailure(
            found: "\(folder.path)/\(stage)/\(name) \(what): a part of the job is lost",
            next: "run again")
    }

    private static func decoded(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        var place = digits.startIndex
        while place < digits.endIndex {
            guard let high = value(digits[place]), let low = value(digits[place + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
            place += 2
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
