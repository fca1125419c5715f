package import MooringFiles

/// An export of a table of which Spark reads the items line by line, and whose adapter reads what
/// is handed on.
package protocol SparkExport: SummedFiles {
    /// The absolute path of the file that names the others.
    var path: String { get }
    /// The absolute paths of the files of items.
    var parts: [String] { get }
    /// The absolute paths of what else an audit reads it by.
    var manifests: [String] { get }

    /// A source of this name over lines that lie in a file of their own: so many, whose
    /// bytes have this MD5.
    func source(
        named name: String, lines file: String, count: Int, md5: [UInt8]
    ) -> any CopySource
}

/// What Spark may know of a source's export.
package enum SparkExportLook: Sendable {
    /// It can be read line by line.
    case readable(any SparkExport)
    /// It cannot, for this reason.
    case unreadable(String)
}
