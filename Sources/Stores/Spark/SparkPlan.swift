package import MooringConfiguration
import MooringDecisions
import MooringFiles
package import MooringModel
import MooringText

/// Which sources and buckets of a configuration Spark reads, and which are read here as ever: what
/// it cannot leave anything out of is handed on whole, with the reason.
package struct SparkPlan: Sendable {
    /// A source or a bucket that Spark does not read.
    package struct Rest: Hashable, Sendable {
        /// What it is.
        enum Side: Hashable, Sendable {
            /// A bucket, by its number.
            case bucket(Int)
            /// A source, by its name.
            case records(String)
        }

        /// What it is, as `records 'app'`.
        package let place: String
        /// Why Spark does not read it.
        package let reason: String
        /// What it is.
        let side: Side
        /// Where it lies, where nobody else reads it.
        let unread: String?

        /// Whether it is read here.
        package var isRead: Bool { unread == nil }

        /// Who reads it, or that nobody does, and why.
        package var words: String {
            "\(place) is \(isRead ? "read here" : "not read"): \(reason)"
        }

        /// A bucket of a number.
        init(bucket: Int, _ name: String, _ reason: String, unread: String?) {
            (place, side) = ("bucket '\(name)'", .bucket(bucket))
            (self.reason, self.unread) = (reason, unread)
        }

        /// A source.
        init(records name: String, _ reason: String, unread: String?) {
            (place, side) = ("records '\(name)'", .records(name))
            (self.reason, self.unread) = (reason, unread)
        }
    }

    /// The sources that Spark reads.
    package let tables: [SparkTable]
    /// The buckets that Spark reads.
    package let listings: [SparkListing]
    /// What is read here.
    package let rest: [Rest]
    /// The files that Spark reads, by their paths, as they were before.
    let files: [String: OriginalFile]
    /// The access levels.
    let levels: [AccessLevel]

    /// A plan; looks at the first line of each file. The buckets' mappings are those of the run,
    /// which knows earlier quarantines; the exports are those of sources, by their names.
    package init(
        _ configuration: Configuration, buckets mappings: [BucketMapping],
        exports: [String: SparkExportLook] = [:]
    ) {
        levels = configuration.levels
        var (files, rest): ([String: OriginalFile], [Rest]) = ([:], [])
        let misfit = Self.misfit(configuration)
        var listings: [SparkListing] = []
        for (number, bucket) in configuration.buckets.enumerated() {
            do throws(Reason) {
                if let misfit { throw Reason(misfit) }
                listings.append(try Self.listing(number, bucket, mappings[number], &files))
            } catch {
                let known = (mappings[number], error.text, misfit != nil)
                rest.append(Self.rest(number, bucket, known, &listings, &files))
            }
        }
        let read = Set(listings.map(\.bucket))
        let names = BucketNames(mappings)
        var tables: [SparkTable] = []
        var first = 0
        for source in configuration.records {
            defer { first += source.mapping.models.count }
            do throws(Reason) {
                if let misfit { throw Reason(misfit) }
                let isCopied = configuration.records.contains { $0.replicaOf == source.name }
                if isCopied || source.replicaOf != nil {
                    throw Reason("its records are compared with another source's")
                }
                let targets = configuration.records.flatMap(\.mapping.models)
                    .flatMap(\.relations).map(\.model)
                if source.mapping.models.contains(where: { targets.contains($0.model) }) {
                    throw Reason("its records are compared with those of other models")
                }
                tables.append(
                    try Self.table(first, source, exports[source.name], (names, read), &files))
            } catch {
                rest.append(Self.rest(first, source, error.text, &tables, &files))
            }
        }
        (self.tables, self.listings) = (tables, listings)
        (self.rest, self.files) = (rest, files)
    }

    private init(
        tables: [SparkTable], listings: [SparkListing], rest: [Rest],
        files: [String: OriginalFile], levels: [AccessLevel]
    ) {
        (self.tables, self.listings, self.rest) = (tables, listings, rest)
        (self.files, self.levels) = (files, levels)
    }

    /// Whether Spark has to read: there is something to leave out, or something that nobody else
    /// reads.
    package var isNeeded: Bool {
        hasColumns || !listings.isEmpty && !tables.isEmpty
    }

    /// What nobody but Spark reads, whether it does or not, as `records 'app'`.
    package var alone: Set<String> {
        Set(
            tables.filter(\.file.hasColumns).map { "records '\($0.source)'" }
                + listings.filter(\.file.hasColumns).map { "bucket '\($0.mapping.name)'" }
                + rest.filter { !$0.isRead }.map(\.place))
    }

    /// Whether something is read that nobody else reads.
    var hasColumns: Bool {
        (listings.map(\.file) + tables.map(\.file)).contains(where: \.hasColumns)
    }

    /// A plan by which Spark reads nothing.
    static let nothing = SparkPlan(tables: [], listings: [], rest: [], files: [:], levels: [])

    /// The plan without a file, for a reason, and without all that means its bucket.
    func without(_ file: SparkFile, _ reason: String) -> SparkPlan {
        let (listing, table) = (
            listings.first { $0.file == file }, tables.first { $0.file == file }
        )
        var tables = tables.filter { $0.file != file }
        var rest = rest
        if let listing {
            rest.append(
                Rest(
                    bucket: listing.bucket, listing.mapping.name, reason,
                    unread: file.hasColumns ? file.path : nil))
        }
        if let table {
            rest.append(
                Rest(
                    records: table.source, reason, unread: file.hasColumns ? file.path : nil))
        }
        for number in tables.indices.reversed() {
            let other = tables[number]
            guard let listing, !other.isWhole, other.buckets.contains(listing.bucket) else {
                continue
            }
            rest.append(
                Rest(
                    records: other.source, "they mean bucket '\(listing.mapping.name)'",
                    unread: nil))
            if other.file.hasColumns {
                tables[number].isWhole = true
            } else {
                tables.remove(at: number)
            }
        }
        return SparkPlan(
            tables: tables, listings: listings.filter { $0 != listing }, rest: rest, files: files,
            levels: levels)
    }

    /// Why Spark does not read something.
    struct Reason: Error {
        /// The words.
        let text: String
        /// A reason in words.
        init(_ text: String) { self.text = text }
    }

    // What of a whole configuration no statement tells.
    private static func misfit(_ configuration: Configuration) -> String? {
        let slash = UInt8(ascii: "/")
        let isOdd = configuration.levels.contains { level in
            let end = level.tail ?? level.head
            return !end.isEmpty && end.last != slash
                || level.tail.map { $0.first != slash } ?? false
        }
        if isOdd { return "a level does not end with a slash" }
        let isLaidOut = configuration.records.flatMap(\.mapping.models).flatMap(\.files)
            .contains { !$0.stored.isPlain }
        return isLaidOut ? "a field has a layout, 'stored'" : nil
    }

    /// Whether Spark takes a file of this name for something that is not meant.
    static func isPassedOver(_ name: String) -> Bool {
        name.hasPrefix(".") || name.hasPrefix("_") || name.hasSuffix("._COPYING_")
    }

    /// A file that Spark can be asked to read. Throws why it cannot.
    static func face(_ path: String) throws(Reason) -> FileFace {
        guard SQLText.isPlain(path: path) else {
            throw Reason("Spark takes a character in its path for a pattern")
        }
        let name = path.split(separator: "/").last ?? ""
        if isPassedOver(String(name)) { throw Reason("Spark passes over files of such a name") }
        // Spark tells by a name's ending how a file is packed.
        let isNamedGzip = path.hasSuffix(".gz")
        let isPacked = [".bz2", ".zst", ".lz4", ".snappy", ".deflate", ".lzo", ".xz"]
            .contains { path.hasSuffix($0) }
        guard !isPacked, WorkFolder.startsAsGzip(path) == isNamedGzip else {
            throw Reason("it is packed in another way than its name says")
        }
        do throws(ReadFailure) { return try FileFace(path: path) } catch {
            throw Reason("it cannot be read here")
        }
    }

    private static func file(
        _ path: String, _ files: inout [String: OriginalFile]
    ) throws(Reason) -> SparkFile {
        let face = try face(path)
        if face.startsWithMark { throw Reason("it begins with a byte order mark") }
        var line = face.line
        if line.last == 0x0D { line.removeLast() }
        let isPlain = !line.isEmpty && line.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        guard isPlain, !line.contains(UInt8(ascii: "\"")) else {
            throw Reason("its first line is no plain header")
        }
        let file = SparkFile(path: path, header: line)
        guard Set(file.columns).count == file.columns.count else {
            throw Reason("its header names a column twice")
        }
        files[path] = OriginalFile(path: path, face: face)
        return file
    }

    private static func listing(
        _ number: Int, _ bucket: BucketConfiguration, _ mapping: BucketMapping,
        _ files: inout [String: OriginalFile]
    ) throws(Reason) -> SparkListing {
        if case .inventory(let path, let taken) = bucket.store {
            return try inventory(number, path, taken, mapping, &files)
        }
        guard case .listing(let path, let taken) = bucket.store else {
            throw Reason(
                "it is of kind \(bucket.store.kind); Spark reads inventories, and listings as CSV")
        }
        let isJSON = [".jsonl", ".json", ".ndjson", ".jsonl.gz", ".json.gz", ".ndjson.gz"]
            .contains { path.hasSuffix($0) }
        if isJSON { throw Reason("it is JSON; Spark reads listings as CSV") }
        let file = try file(path, &files)
        for column in ["key", "size", "lastModified"] where file.place(of: column) == nil {
            throw Reason("its header names no column '\(column)'")
        }
        for column in ["keyBase64", "keybase64"] where file.place(of: column) != nil {
            throw Reason("its keys may stand in base64")
        }
        // A time at the end of a file that was cut off is known by the missing line break.
        if path.hasSuffix(".gz"), file.columns.last == Array("lastModified".utf8) {
            throw Reason(
                "its last column is 'lastModified', by which a file that is cut off is known")
        }
        return SparkListing(bucket: number, file: file, mapping: mapping, taken: taken)
    }

    private static func table(
        _ number: Int, _ source: RecordsConfiguration, _ export: SparkExportLook?,
        _ known: (names: BucketNames, read: Set<Int>), _ files: inout [String: OriginalFile]
    ) throws(Reason) -> SparkTable {
        guard source.mapping.models.count == 1 else { throw Reason("several models read it") }
        let mapping = source.mapping.models[0]
        if let misfit = misfit(mapping) { throw Reason(misfit) }
        var buckets: [Int] = []
        for field in mapping.files {
            guard let bucket = known.names.number(of: field), known.read.contains(bucket) else {
                throw Reason("field '\(field.field)' means a bucket that Spark does not read")
            }
            buckets.append(bucket)
        }
        if case .dynamodbExport = source.store {
            return SparkTable(
                of: (source.name, nil), model: number,
                file: try Self.export(export, mapping, &files),
                mapping: mapping, buckets: buckets)
        }
        let (file, taken) = try file(of: source, mapping, &files)
        // A name may be all that tells of a key, and stands in no row that is handed on.
        let names =
            file.form == .fields ? file.columns : file.cells.keys.sorted().map { Array($0.utf8) }
        if let name = names.first(where: { !KeyTemplate.isIdentifier($0) }) {
            let shown = String(decoding: name, as: UTF8.self).printable
            throw Reason("its column '\(shown)' is named as a key may be")
        }
        return SparkTable(
            of: (source.name, taken), model: number, file: file, mapping: mapping, buckets: buckets)
    }

    // The file of a source, and of when it is where somebody says that.
    private static func file(
        of source: RecordsConfiguration, _ mapping: ModelMapping,
        _ files: inout [String: OriginalFile]
    ) throws(Reason) -> (SparkFile, Instant?) {
        switch source.store {
        case .csv(let path, let taken):
            let file = try file(path, &files)
            for column in mapping.columns where file.place(of: column) == nil {
                throw Reason("its header names no column '\(column.printable)'")
            }
            return (file, taken)
        case .jsonl(let path, let taken):
            let face = try face(path)
            // It is no part of the first object, and would be in the middle of what is handed on.
            if face.startsWithMark { throw Reason("it begins with a byte order mark") }
            files[path] = OriginalFile(path: path, face: face)
            return (SparkFile(path: path, attributes: mapping.columns), taken)
        case .parquet(let path, let taken):
            return (try parquet(path, mapping, &files), taken)
        default:
            throw Reason(
                "it is of kind \(source.store.kind); Spark reads CSV, JSON lines, Parquet and "
                    + "exports")
        }
    }

    private static func misfit(_ mapping: ModelMapping) -> String? {
        if mapping.identities != nil { return "its users have a map of identities" }
        if !mapping.relations.isEmpty || mapping.isJoin {
            return "its records are compared with those of other models"
        }
        if let visibility = mapping.visibility, visibility != .anyone {
            return "who may read its objects is compared with where they lie"
        }
        for field in mapping.files {
            if !field.path.steps.isEmpty || field.isComplex {
                return "field '\(field.field)' is a nested value"
            }
            if field.level == .any { return "field '\(field.field)' may lie under any level" }
        }
        return nil
    }
}
