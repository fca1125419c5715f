package import MooringModel

/// A CSV file of one model's records, as Spark reads it.
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

    /// A table of a model.
    package init(
        of source: (name: String, taken: Instant?), model: Int, file: SparkFile,
        mapping: ModelMapping, buckets: [Int]
    ) {
        (self.source, self.taken) = source
        (self.model, self.file, self.mapping, self.buckets) = (model, file, mapping, buckets)
    }
}

/// A listing of a bucket as CSV, as Spark reads it.
package struct SparkListing: Hashable, Sendable {
    /// The bucket's number, in the configuration's order.
    package let bucket: Int
    /// What Spark reads.
    package let file: SparkFile
    /// What belongs to the app in it.
    package let mapping: BucketMapping

    /// When the listing was made, where somebody says that.
    package let taken: Instant?

    /// A listing of a bucket.
    package init(bucket: Int, file: SparkFile, mapping: BucketMapping, taken: Instant? = nil) {
        (self.bucket, self.file, self.mapping, self.taken) = (bucket, file, mapping, taken)
    }
}

/// A CSV file of which every line is a row, but for the first.
package struct SparkFile: Hashable, Sendable {
    /// Its absolute path.
    package let path: String
    /// The first line, without its end; no quote stands in it.
    package let header: [UInt8]
    /// Its columns.
    package let columns: [[UInt8]]

    /// A file of this header.
    package init(path: String, header: [UInt8]) {
        (self.path, self.header) = (path, header)
        columns = header.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map(Array.init)
    }

    /// The place of a column; nil where the file has none of that name.
    func place(of column: String) -> Int? { columns.firstIndex(of: Array(column.utf8)) }
}
