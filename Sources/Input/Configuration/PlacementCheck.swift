import MooringModel
import MooringText

/// Refuses files of Mooring's own, and databases, that lie where a bucket's objects lie: they
/// would be orphans, and the policy could remove them.
///
/// Paths are compared as texts, so a link into a bucket's folder is not noticed.
struct PlacementCheck {
    /// Where problems go.
    let context: ReadingContext
    /// The configuration file's absolute path.
    let file: String
    /// The root of the file, for the lines of its keys.
    let root: Section

    /// SQLite's own files beside a database, and the database.
    private static let databaseSuffixes = ["", "-wal", "-shm", "-journal"]

    private struct Place {
        let what: String
        /// Absolute paths of files; that of a folder is a file inside it.
        let paths: [String]
    }

    /// Reports everything that lies in a bucket and is no object.
    func check(_ configuration: Configuration) {
        let places = places(configuration)
        for bucket in configuration.buckets {
            guard case .directory(let folder, _) = bucket.store else { continue }
            for place in places {
                let keys = place.paths.compactMap { Paths.below($0, folder) }.map {
                    ObjectKey($0)
                }
                guard let key = keys.first(where: { isObject($0, bucket.mapping) }) else {
                    continue
                }
                context.report(
                    "\(place.what) lies in bucket '\(bucket.name.printable)' and would be one "
                        + "of its objects ('\(key.text.printable)'); move it, or name it under "
                        + "'ignore'",
                    line: root.line(of: "buckets"))
            }
        }
        checkFoldersApart(configuration.buckets)
    }

    private func places(_ configuration: Configuration) -> [Place] {
        let databases = { (path: String) in Self.databaseSuffixes.map { path + $0 } }
        let reports = configuration.report.directory
        var places = [
            Place(what: "the configuration file", paths: [file]),
            Place(what: "the ledger", paths: databases(configuration.ledger)),
            Place(
                what: "the report directory",
                paths: [reports + "/latest", reports + "/RUN/report.json"]),
        ]
        for source in configuration.records {
            guard let path = source.store.path else { continue }
            let isDatabase = ["sqlite", "datastore"].contains(source.store.kind)
            places.append(
                Place(
                    what: "the file of source '\(source.name.printable)'",
                    paths: isDatabase ? databases(path) : [path]))
        }
        for bucket in configuration.buckets {
            guard let path = bucket.store.listPath else { continue }
            var paths = [path]
            if bucket.store.kind != "listing", let end = path.lastIndex(of: "/") {
                // Its parts lie around the manifest, with names that S3 makes up.
                paths.append(path[..<end] + "/part.csv.gz")
            }
            places.append(
                Place(what: "the file of bucket '\(bucket.name.printable)'", paths: paths))
        }
        return places
    }

    private func isObject(_ key: ObjectKey, _ mapping: BucketMapping) -> Bool {
        mapping.covers(key) && !mapping.ignores(key)
    }

    // Of two buckets in one folder, or one inside the other, each would take the other's objects
    // for its own orphans, unless their prefixes keep them apart.
    private func checkFoldersApart(_ buckets: [BucketConfiguration]) {
        for (index, inner) in buckets.enumerated() {
            for (other, outer) in buckets.enumerated() where index != other {
                guard let below = below(inner.store, outer.store), !below.isEmpty || index > other
                else { continue }
                let start = below.isEmpty ? [] : below + [UInt8(ascii: "/")]
                let isShared = inner.mapping.prefixes.contains {
                    outer.mapping.judges(start + $0.bytes)
                }
                guard isShared else { continue }
                if mayBeOne(inner.store, outer.store) {
                    context.report(
                        "bucket '\(inner.name.printable)' may be the one of bucket "
                            + "'\(outer.name.printable)', since an access point does not tell its "
                            + "bucket; write bucketName: under its s3, or keep the two apart by "
                            + "'prefixes' or 'ignore'", line: root.line(of: "buckets"))
                    continue
                }
                context.report(
                    "the objects of bucket '\(inner.name.printable)' lie in the "
                        + (inner.store.kind == "s3" ? "store's bucket" : "folder")
                        + " of bucket '\(outer.name.printable)' too; keep them apart by "
                        + "'prefixes' or 'ignore'",
                    line: root.line(of: "buckets"))
            }
        }
    }

    // Where one store's objects lie in another: the key of its folder there; nil where they do not.
    private func below(_ inner: ObjectStore, _ outer: ObjectStore) -> [UInt8]? {
        switch (inner, outer) {
        case (.directory(let path, _), .directory(let folder, _)): Paths.below(path, folder)
        case (.s3(let own), .s3(let other)):
            own.isSameBucket(as: other) ?? true ? [] : nil
        default: nil
        }
    }

    private func mayBeOne(_ inner: ObjectStore, _ outer: ObjectStore) -> Bool {
        guard case .s3(let own) = inner, case .s3(let other) = outer else { return false }
        return own.isSameBucket(as: other) == nil
    }
}

extension BucketMapping {
    /// Whether objects of this bucket, and none that it ignores, may have keys that begin so.
    package func judges(_ start: [UInt8]) -> Bool {
        let isInPrefix = prefixes.contains {
            $0.bytes.starts(with: start) || start.starts(with: $0.bytes)
        }
        let samples = ["object", "folder/object"].map { ObjectKey(start + Array($0.utf8)) }
        let isIgnored = samples.allSatisfy { sample in ignore.contains { $0.matches(sample) } }
        return isInPrefix && !isIgnored && !start.starts(with: quarantine.bytes)
    }
}
