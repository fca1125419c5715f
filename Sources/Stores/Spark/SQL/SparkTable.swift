import MooringConfiguration
package import MooringFiles
package import MooringModel

/// A file of one model's records, as Spark reads it.
package struct SparkTable: Hashable, Sendable {
    /// The name of its source.
    package let source: String
    /// When the copy was made, where somebody says that.
    package let taken: Instant?
    /// The model's number, over all sources.
    package let model: Int
    /// What Spark reads.
    package let file: SparkFile
    /// How the model is mapped.
    package let mapping: ModelMapping
    /// Of each of the mapping's `files`, the bucket that its values mean.
    package let buckets: [Int]
    /// Whether all of it is handed on.
    var isWhole = false

    /// A table of a model.
    package init(
        of source: (name: String, taken: Instant?), model: Int, file: SparkFile,
        mapping: ModelMapping, buckets: [Int]
    ) {
        (self.source, self.taken) = source
        (self.model, self.file, self.mapping, self.buckets) = (model, file, mapping, buckets)
    }
}

/// A list of a bucket's objects as CSV, as Spark reads it.
package struct SparkListing: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// What Spark reads.
    package let file: SparkFile
    /// What belongs to the app in it.
    package let mapping: BucketMapping
    /// When the listing was made, where somebody says that.
    package let taken: Instant?
    /// Of an inventory of S3 the bucket that it lists; nil of a listing.
    package let inventoried: [UInt8]?
    /// Whether all of it is handed on.
    var isWhole = false

    /// A listing of a bucket, or an inventory.
    package init(
        bucket: Int, file: SparkFile, mapping: BucketMapping, taken: Instant? = nil,
        inventoried: [UInt8]? = nil
    ) {
        (self.bucket, self.file, self.mapping) = (bucket, file, mapping)
        (self.taken, self.inventoried) = (taken, inventoried)
    }
}

/// A file of which every line is a row, but for a header; or several without one, in a folder, or
/// files of columns.
package struct SparkFile: Hashable, Sendable {
    /// What a line is.
    package enum Form: Hashable, Sendable {
        /// Fields of CSV.
        case fields
        /// An object of JSON.
        case object
        /// An item of DynamoDB, in its own JSON.
        case item
        /// A row of columns, of which a line of CSV is made.
        case columns(ColumnFormat)
        /// A row of Parquet, of which a line of JSON is made.
        case attributes
    }

    /// What a line is.
    package let form: Form
    /// The absolute path that the configuration names: of the file, or of what names the files.
    package let path: String
    /// The absolute paths of several files, in their order, all in one folder; their names are
    /// letters, digits and the like. Empty where it is the one file.
    package let parts: [String]
    /// The first line, without its end; no quote stands in it. Nil where there is none.
    package let header: [UInt8]?
    /// The columns; of objects and of rows of Parquet the attributes that a mapping names.
    package let columns: [[UInt8]]
    /// What all columns of Parquet hold, by their names; empty of anything else.
    package private(set) var cells: [String: ColumnKind] = [:]

    /// A file of this header.
    package init(path: String, header: [UInt8]) {
        (self.path, self.header, parts, form) = (path, header, [], .fields)
        columns = header.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    /// Files without a header, which another one names.
    package init(path: String, parts: [String], columns: [String]) {
        (self.path, self.parts, header, form) = (path, parts, nil, .fields)
        self.columns = columns.map { Array($0.utf8) }
    }

    /// Files of columns of an inventory, which another one names; the names of the columns are
    /// those of CSV.
    package init(path: String, parts: [String], cells: [String], _ format: ColumnFormat) {
        (self.path, self.parts, header) = (path, parts, nil)
        form = .columns(format)
        columns = cells.map { Array($0.utf8) }
    }

    /// A file of objects, of which a mapping names these attributes; or files of items, which
    /// another one names.
    package init(path: String, parts: [String] = [], attributes: [String]) {
        (self.path, self.parts, header) = (path, parts, nil)
        form = parts.isEmpty ? .object : .item
        columns = attributes.map { Array($0.utf8) }
    }

    /// Files of Parquet, which hold records in these columns; a mapping names these attributes.
    package init(
        path: String, parts: [String], attributes: [String], cells: [String: ColumnKind]
    ) {
        (self.path, self.parts, header, form) = (path, parts, nil, .attributes)
        columns = attributes.map { Array($0.utf8) }
        self.cells = cells
    }

    /// The place of a column; nil where the file has none of that name.
    func place(of column: String) -> Int? { columns.firstIndex(of: Array(column.utf8)) }

    /// How its columns are laid out; nil where it has lines.
    var format: ColumnFormat? { if case .columns(let format) = form { format } else { nil } }

    /// Whether it has columns, and no lines.
    var hasColumns: Bool { form == .attributes || format != nil }

    /// Whether what is handed on of it are lines of CSV.
    var isFields: Bool { form == .fields || format != nil }

    /// What Spark is asked to read: one path, which may be a pattern that fits the parts alone.
    func pattern(_ mounts: SparkMounts) -> String {
        guard let first = parts.first else { return mounts.url(of: path) }
        guard parts.count > 1 else { return mounts.url(of: first) }
        let url = mounts.url(of: first).dropLast(Self.name(of: first).utf8.count)
        return "\(url){\(names.joined(separator: ","))}"
    }

    /// The last names of the parts.
    var names: [String] { parts.map(Self.name) }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? path
    }
}
