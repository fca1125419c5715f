import Foundation

/// A folder of its own for one test, removed with everything in it afterwards.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/mooring-spark-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    /// What a job says that it finds of files below the folder, as facts of a name.
    func facts(_ name: String, _ files: [String]) throws -> [String] {
        try files.map { file in
            let face = try FileManager.default.attributesOfItem(atPath: path + "/" + file)
            let size = face[.size] as? Int ?? -1
            let changed = (face[.modificationDate] as? Date)?.timeIntervalSince1970 ?? -1
            let part = files.count > 1 ? String(file.split(separator: "/").last ?? "") : "0"
            return "\(name) 0 \(part) \(size)@\(Int(changed.rounded(.down)))"
        }
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path)")
        }
    }
}
