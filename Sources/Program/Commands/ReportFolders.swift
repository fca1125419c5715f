import Foundation

/// The folders of old runs.
enum ReportFolders {
    /// Removes a run's report folder; one that is not there is no error.
    static func remove(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            throw CommandError(
                "\(path): an old report could not be removed (\(error.systemWords))")
        }
    }
}
