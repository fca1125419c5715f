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

    /// Shell that writes what a stage ends with, the first one by default; its marker counts all
    /// facts, or as many as `done` says. Behind it `write NAME LINE…` writes another part.
    static func writing(_ facts: [String], done: Int? = nil, stage: String = "1") -> String {
        """
        stage=$(dirname "${@: -1}")/\(stage)
        write() {
            mkdir -p "$stage/$1"; touch "$stage/$1/_SUCCESS"
            for line in "${@:2}"; do echo "$line" >>"$stage/$1/part-0"; done
        }
        write facts \(facts.map { "'\($0)'" }.joined(separator: " "))
        write done 'facts \(done ?? facts.count)'
        """
    }

    deinit {
        do {
            try FileManager.default.removeItem(atPath: path)
        } catch {
            print("left behind: \(path)")
        }
    }
}
