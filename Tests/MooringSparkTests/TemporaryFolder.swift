import Foundation

/// A folder of its own for one test, removed with everything in it afterwards.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/mooring-spark-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// What a job says that it finds of files below the folder, as a fact of a name.
    func fact(_ name: String, _ files: [String]) throws -> String {
        let sizes = try files.map {
            try FileManager.default.attributesOfItem(atPath: path + "/" + $0)[.size] as? Int ?? -1
        }
        return "\(name) 0 \(files.count) \(sizes.reduce(0, +))"
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path)")
        }
    }
}
