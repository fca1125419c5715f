package import MooringModel
import Yams

extension ConfigurationPlaces {
    /// Where a configuration's file names its buckets, gates, sources, models and fields. Of a
    /// file that cannot be read any more nothing is found but its name.
    package static func load(path: String) -> ConfigurationPlaces {
        let file = shown(path)
        do {
            let text = String(decoding: try Configuration.contents(of: path), as: UTF8.self)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let root = try YAMLDocument.root(of: text, file: path)
            return ConfigurationPlaces(file: file, lines: lines.map(\.utf16.count), root)
        } catch {
            // The run has used the file, and somebody may have moved it since.
            return ConfigurationPlaces(file: file)
        }
    }

    private init(file: String, lines: [Int], _ root: Node) {
        func line(_ node: Node?) -> Line {
            let number = node?.mark?.line ?? 1
            return Line(
                number: number, length: lines.indices.contains(number - 1) ? lines[number - 1] : 0)
        }
        self.init(file: file, first: line(nil))
        for bucket in root["buckets"]?.sequence ?? [] {
            if let name = bucket["name"]?.string { add(bucket: name, at: line(bucket["name"])) }
        }
        for gate in root["gates"]?.sequence ?? [] {
            if let text = gate.string { add(gate: text, at: line(gate)) }
        }
        for source in root["records"]?.sequence ?? [] {
            guard let name = source["name"]?.string else { continue }
            add(source: name, at: line(source["name"]))
            for model in source["models"]?.sequence ?? [] {
                guard let word = model["model"]?.string else { continue }
                add(source: name, model: word, at: line(model["model"]))
                for part in ["files", "relations"] {
                    for field in model[part]?.sequence ?? [] {
                        guard let column = field["field"]?.string else { continue }
                        add(source: name, model: word, field: column, at: line(field["field"]))
                    }
                }
            }
        }
    }

    // A path below the working folder is the one that people know it by.
    private static func shown(_ path: String) -> String {
        guard let folder = Paths.workingFolder() else { return path }
        let absolute = Paths.absolute(path, from: folder)
        return Paths.below(absolute, folder).map { String(decoding: $0, as: UTF8.self) } ?? absolute
    }
}
