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

    private struct Lines {
        var text: [UInt8] = []
        var count = 0
    }

    /// Reads what a stage handed on. Throws where a part is missing.
    init(_ folder: WorkFolder, _ plan: SparkPlan, stage: Int) throws(NarrowingFailure) {
        (self.folder, self.plan, self.stage) = (folder, plan, stage)
        records = try Self.lines("handed-records", folder, stage)
        objects = try Self.lines("handed-objects", folder, stage)
    }

    /// The source of a table; so many rows have to be there.
    func records(_ table: SparkTable, count: Int) throws -> SparkRecords {
        let original = try original(table.file)
        let (path, bytes) = try write(
            "records-\(table.model)", table.file, records[table.model], count)
        let taken = table.taken ?? original.face.modified
        let lines: any CopySource
        if let export = original.export {
            lines = export.source(named: table.source, lines: path, count: count, bytes: bytes)
        } else if table.file.form == .fields {
            lines = CSVSource(
                name: table.source, file: path, tables: [table.mapping.table], taken: taken)
        } else {
            lines = JSONLinesSource(
                name: table.source, file: path, tables: [table.mapping.table], taken: taken)
        }
        return SparkRecords(name: table.source, original: original, lines: lines)
    }

    /// The bucket of a listing; so many objects have to be there.
    func objects(_ listing: SparkListing, count: Int) throws -> SparkObjects {
        let original = try original(listing.file)
        let (path, bytes) = try write(
            "objects-\(listing.bucket)", listing.file, objects[listing.bucket], count)
        let name = listing.mapping.name
        let lines: any CopyBucket =
            listing.inventoried == nil
            ? ListingBucket(
                name: name, file: path, taken: listing.taken ?? original.face.modified)
            : InventoryBucket(
                name: name, manifest: listing.file.path, taken: listing.taken,
                prefixes: listing.mapping.prefixes,
                rows: InventoryExtract(path: path, bytes: bytes))
        return SparkObjects(name: name, original: original, lines: lines)
    }

    private func original(_ file: SparkFile) throws -> OriginalFile {
        guard let original = plan.files[file.path] else {
            throw NarrowingFailure(found: "\(file.path) was not looked at", next: "report this")
        }
        return original
    }

    private func write(
        _ name: String, _ file: SparkFile, _ lines: Lines?, _ count: Int
    ) throws -> (path: String, bytes: [UInt8]) {
        let lines = lines ?? Lines()
        guard lines.count == count else {
            throw Self.lost(
                folder, stage, name, "holds \(lines.count) lines, and \(count) were handed on")
        }
        let bytes = (file.header.map { $0 + [UInt8(ascii: "\n")] } ?? []) + lines.text
        // By the ending some readers tell what they read.
        let name = "\(stage)-\(name).\(file.isFields ? "csv" : "jsonl")"
        try folder.write(bytes, to: name)
        return ("\(folder.path)/\(name)", bytes)
    }

    // Each line holds a number and the digits of the bytes; an empty one has none.
    private static func lines(
        _ name: String, _ folder: WorkFolder, _ stage: Int
    ) throws(NarrowingFailure) -> [Int: Lines] {
        guard let lines = folder.lines(of: "\(stage)/\(name)") else {
            throw lost(folder, stage, name, "is not whole")
        }
        var found: [Int: Lines] = [:]
        for line in lines {
            let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            guard words.count == 2, let number = Int(String(decoding: words[0], as: UTF8.self)),
                let bytes = decoded(words[1])
            else { throw lost(folder, stage, name, "is damaged") }
            found[number, default: Lines()].text += bytes + [UInt8(ascii: "\n")]
            found[number, default: Lines()].count += 1
        }
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
