import MooringFiles
import MooringModel

/// Puts the lines that a stage handed on into files of the form that they are from, so that they
/// are read as these are.
struct HandedOn {
    /// The run's folder.
    let folder: WorkFolder
    /// What Spark reads.
    let plan: SparkPlan
    /// The stage.
    let stage: Int

    /// The source of a table; so many rows have to be there.
    func records(_ table: SparkTable, count: Int) throws -> SparkRecords {
        let name = "records-\(table.model)"
        let original = try original(table.file)
        let path = try write(name, table.file.header, count)
        return SparkRecords(
            name: table.source, original: original,
            lines: CSVSource(
                name: table.source, file: path, tables: [table.mapping.table],
                taken: table.taken ?? original.face.modified))
    }

    /// The bucket of a listing; so many objects have to be there.
    func objects(_ listing: SparkListing, count: Int) throws -> SparkObjects {
        let original = try original(listing.file)
        let path = try write("objects-\(listing.bucket)", listing.file.header, count)
        return SparkObjects(
            name: listing.mapping.name, original: original,
            lines: ListingBucket(
                name: listing.mapping.name, file: path,
                taken: listing.taken ?? original.face.modified))
    }

    private func original(_ file: SparkFile) throws -> OriginalFile {
        guard let original = plan.files[file.path] else {
            throw NarrowingFailure(found: "\(file.path) was not looked at", next: "report this")
        }
        return original
    }

    private func write(_ name: String, _ header: [UInt8], _ count: Int) throws -> String {
        guard let parts = folder.parts(of: "\(stage)/\(name)") else {
            throw lost(name, "is not whole")
        }
        var text = header + [UInt8(ascii: "\n")]
        var lines = 0
        for part in parts {
            guard let bytes = WorkFolder.bytes(of: part) else {
                throw lost(name, "cannot be read")
            }
            // An empty line has no digits.
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                .dropLast()
            {
                guard let decoded = Self.decoded(line) else { throw lost(name, "is damaged") }
                text += decoded
                text.append(UInt8(ascii: "\n"))
                lines += 1
            }
        }
        guard lines == count else {
            throw lost(name, "holds \(lines) lines, and \(count) were handed on")
        }
        let file = "\(stage)-\(name).csv"
        try folder.write(text, to: file)
        return "\(folder.path)/\(file)"
    }

    private func lost(_ name: String, _ what: String) -> NarrowingFailure {
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
