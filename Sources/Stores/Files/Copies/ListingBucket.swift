package import MooringModel

/// A file that lists a bucket's objects, as somebody took it at some moment.
///
/// CSV with a header that names `key` or `keyBase64`, `size`, `lastModified` and perhaps `etag`, or
/// JSON lines with the same names; gzip is inflated.
package struct ListingBucket: CopyBucket {
    /// The source's name in the configuration.
    package let name: String
    /// How the configuration spells the kind.
    package let kind = "listing"
    /// How an error calls it.
    package let noun = "a listing"
    /// The file.
    package var path: String { file.path }
    private let file: CopyFile

    /// How many objects a batch has at most.
    static let batchSize = 4_000

    /// A listing in a file; `taken` is when it was made, by default when the file was written.
    package init(name: String, file: String, taken: Instant? = nil) {
        self.name = name
        self.file = CopyFile(path: file, taken: taken)
    }

    /// Lists the rows in the order of the file; a row that cannot be read is a problem.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        try await readAhead(ListingReading(file)) { slabs in
            for slab in slabs { try await receive(ObjectBatch(slab)) }
        }
    }
}

/// Reads a file of objects.
private actor ListingReading: FileReading {
    private let file: CopyFile
    private var problems = ProblemList()
    private var open: (source: ByteSource, window: ScanWindow)?
    private var rows: (any ListingRows)?

    // So many full slabs are handed over at once.
    private static let slabsAhead = 4
    private static let room = 1 << 19

    /// A reading that has not begun.
    init(_ file: CopyFile) {
        self.file = file
    }

    /// Opens the file.
    func begin() {
        open = file.open(&problems)
        guard let open else { return }
        let buffer = TextBuffer(open.source)
        rows =
            isJSON(buffer)
            ? JSONListing(LineReader(buffer), file)
            : CSVListing(CSVReader(buffer), file, &problems)
    }

    // By the name's extension; any other file by its first byte.
    private func isJSON(_ buffer: TextBuffer) -> Bool {
        let path = file.path.hasSuffix(".gz") ? String(file.path.dropLast(3)) : file.path
        if path.hasSuffix(".csv") { return false }
        if [".jsonl", ".json", ".ndjson"].contains(where: { path.hasSuffix($0) }) { return true }
        return buffer.firstByte() == UInt8(ascii: "{")
    }

    /// The next slabs; none at the end.
    func next() -> [ObjectSlab] {
        guard let rows else { return [] }
        var slabs: [ObjectSlab] = []
        for _ in 0..<Self.slabsAhead {
            var slab = ObjectSlab()
            slab.reserve(objects: ListingBucket.batchSize, bytes: Self.room)
            let isFull = rows.fill(&slab, &problems)
            if slab.count > 0 { slabs.append(slab) }
            if !isFull {
                self.rows = nil
                break
            }
        }
        return slabs
    }

    /// The result, when there are no slabs any more.
    func finish() -> ScanResult {
        guard let open else { return file.unopened(problems) }
        return file.finish(open.source, open.window, &problems)
    }
}

/// The objects of a listing in some format.
protocol ListingRows {
    /// Fills a slab; problems on the way are added, and it is false at the end.
    func fill(_ slab: inout ObjectSlab, _ problems: inout ProblemList) -> Bool
}
