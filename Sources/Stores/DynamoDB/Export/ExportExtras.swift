/// Data files beside exports that no manifest names: whoever put them there, they may be a part of
/// a table that is not read.
struct ExportExtras {
    /// The folders of all exports in the place, below it.
    var folders: Set<String> = []
    // By the folder that incremental exports share what their manifests name; nil where one of them
    // cannot tell.
    private var changes: [String: Set<String>?] = [:]

    private static let manifests: Set<Substring> = ["manifest-summary.json", "manifest-files.json"]
    private static let endings = [".gz", ".json", ".ion"]

    /// Of a full export's folder the files of data that are none of these parts, in their order.
    func unnamed(
        among files: Set<String>, _ parts: [ExportPart], _ folder: String
    ) -> [String] {
        let named = Set(parts.map(\.path))
        return files.filter { file in
            !named.contains(file) && home(of: file) == folder && isData(file, in: folder)
        }.sorted()
    }

    /// Notes what the manifest of an incremental export names.
    mutating func note(_ parts: [ExportPart], of summary: ExportSummary) {
        guard let folder = Self.shared(summary), let known = changes[folder, default: []] else {
            return
        }
        changes[folder] = known.union(parts.map(\.path))
    }

    /// Notes that the manifest of an incremental export cannot tell its files: nothing is said of
    /// others in the folder that it shares.
    mutating func hide(_ summary: ExportSummary) {
        guard let folder = Self.shared(summary) else { return }
        changes[folder] = .some(nil)
    }

    /// The files in folders that incremental exports share which none of them names, in their
    /// order.
    func unnamedChanges(among files: Set<String>) -> [String] {
        files.filter { file in
            guard home(of: file) == nil, !file.hasSuffix("/") else { return false }
            return changes.contains { folder, named in
                file.hasPrefix(folder) && named?.contains(file) == false
            }
        }.sorted()
    }

    // Beside the export's own.
    private static func shared(_ summary: ExportSummary) -> String? {
        guard !summary.folder.isEmpty else { return nil }
        let above = ExportPath.folder(of: summary.folder)
        return above.isEmpty ? "data/" : above + "/data/"
    }

    // The folder of the export that a file belongs to: the nearest one above it.
    private func home(of file: String) -> String? {
        var folder = ExportPath.folder(of: file)
        while !folders.contains(folder) {
            if folder.isEmpty { return nil }
            folder = ExportPath.folder(of: folder)
        }
        return folder
    }

    // Whatever lies below `data` is, and elsewhere what is called as data is.
    private func isData(_ file: String, in folder: String) -> Bool {
        let rest = folder.isEmpty ? file[...] : file.dropFirst(folder.count + 1)
        // An object that stands for a folder has no data.
        if rest.hasSuffix("/") || Self.manifests.contains(rest) { return false }
        return rest.hasPrefix("data/") || Self.endings.contains { rest.hasSuffix($0) }
    }
}
