import Foundation

extension FaultProxy.Request {
    /// What a request wants removed: a key, as text, and a version's id, empty where none is named.
    package struct Deletion: Hashable, Sendable {
        /// The key.
        package let key: String
        /// The version's id.
        package let version: String
    }

    /// What this request wants removed, by DeleteObject or by DeleteObjects, of a bucket that is
    /// named in its path; keys have to be texts without entities.
    package var deletions: [Deletion] {
        if method == "DELETE" {
            let key = path.dropFirst().drop { $0 != "/" }.dropFirst()
            let id = query.hasPrefix("versionId=") ? query.dropFirst("versionId=".count) : ""
            return [
                Deletion(
                    key: key.removingPercentEncoding ?? String(key),
                    version: id.removingPercentEncoding ?? String(id))
            ]
        }
        guard method == "POST", query.hasPrefix("delete") else { return [] }
        return String(decoding: body, as: UTF8.self).components(separatedBy: "<Object>")
            .dropFirst().map { object in
                Deletion(
                    key: Self.text("Key", object) ?? "",
                    version: Self.text("VersionId", object) ?? "")
            }
    }

    private static func text(_ name: String, _ element: String) -> String? {
        guard let begin = element.range(of: "<\(name)>"), let end = element.range(of: "</\(name)>")
        else { return nil }
        return String(element[begin.upperBound..<end.lowerBound])
    }
}
