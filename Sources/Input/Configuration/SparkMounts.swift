import MooringText

/// How Spark names what this machine reaches by a path: folders that it mounts are `s3a://`,
/// `hdfs://` or other places to Spark, and all others are the same path there.
package struct SparkMounts: Hashable, Sendable {
    /// A folder of this machine and its name.
    struct Mount: Hashable, Sendable {
        /// The folder's absolute path.
        let folder: String
        /// What Spark calls it, without a slash at its end.
        let url: String
    }

    private let mounts: [Mount]

    /// All paths are the same on both sides.
    package static let none = SparkMounts([])

    /// These folders have other names.
    init(_ mounts: [Mount]) {
        self.mounts = mounts.sorted { $0.folder.utf8.count > $1.folder.utf8.count }
    }

    /// What Spark calls an absolute path; of several folders that it lies in the innermost counts.
    package func url(of path: String) -> String {
        for mount in mounts {
            guard let below = Paths.below(path, mount.folder) else { continue }
            return mount.url + (below.isEmpty ? "" : "/" + String(decoding: below, as: UTF8.self))
        }
        return "file://" + path
    }

    /// The absolute path of what Spark calls so; nil where nothing here is called so. Of several
    /// names that it begins with the longest counts.
    func path(of url: String) -> String? {
        let files = Mount(folder: "/", url: "file://")
        let all = (mounts + [files]).sorted { $0.url.utf8.count > $1.url.utf8.count }
        for mount in all where (url + "/").utf8.starts(with: (mount.url + "/").utf8) {
            let below = String(url.dropFirst(mount.url.count + 1))
            let path = Paths.absolute(below.isEmpty ? "." : below, from: mount.folder)
            return Paths.below(path, mount.folder) == nil ? nil : path
        }
        return nil
    }

    /// The folders by whose name none of these paths goes.
    package func unused(by paths: [String]) -> [String] {
        let used = paths.compactMap { path in
            mounts.first { Paths.below(path, $0.folder) != nil }?.folder
        }
        return mounts.map(\.folder).filter { !used.contains($0) }
    }

    /// Those of these paths that lie in none of the folders; none where there are no folders.
    package func outside(among paths: [String]) -> [String] {
        mounts.isEmpty
            ? []
            : paths.filter { path in mounts.allSatisfy { Paths.below(path, $0.folder) == nil } }
    }
}

extension SparkMounts {
    // Azure's containers stand before `@`; elsewhere that is how somebody is let in.
    private static let containers = ["abfs", "abfss", "wasb", "wasbs"]

    // Some characters are patterns to Spark.
    private static func isURL(_ text: String) -> Bool {
        guard let end = text.firstRange(of: "://") else { return false }
        let (scheme, rest) = (text[..<end.lowerBound], text[end.upperBound...])
        let names = rest.prefix { $0 != "/" }.split(
            separator: "@", omittingEmptySubsequences: false)
        let isOpen =
            names.count == 1 && !rest.contains("@")
            || names.count == 2 && containers.contains(String(scheme)) && !names[0].contains(":")
        return isOpen && !scheme.isEmpty
            && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            && !rest.isEmpty
            && rest.utf8.allSatisfy {
                $0 > 0x20 && $0 < 0x7F && !"*?[]{}\\,#%'\"".utf8.contains($0)
            }
    }

    /// Reads `spark.mounts`.
    init(_ section: Section) {
        var mounts: [Mount] = []
        for key in section.keys {
            guard let text = section.text(key)?.value else { continue }
            guard Self.isURL(text) else {
                section.report(
                    "'\(key.printable)' needs what Spark calls that folder, as 's3a://BUCKET/DIR', "
                        + "without credentials, blanks and patterns; found something else",
                    at: key)
                continue
            }
            let folder = Paths.absolute(key, from: section.context.folder)
            if mounts.contains(where: { $0.folder == folder }) {
                section.report("'\(key.printable)' is a folder that has a name already", at: key)
            }
            mounts.append(Mount(folder: folder, url: Self.withoutEnd(text)))
        }
        self.init(mounts)
    }

    // `file:///` stays what it is but for its last slash, which comes back with what lies there.
    private static func withoutEnd(_ url: String) -> String {
        var url = url
        while url.hasSuffix("/"), !url.hasSuffix("://") { url.removeLast() }
        return url
    }
}
