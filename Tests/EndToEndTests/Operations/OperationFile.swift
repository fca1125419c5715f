import Foundation
import TestServers
import Testing

/// A file of Cron/, which administrators install as it is.
struct OperationFile {
    /// Where it lies.
    let path: String

    /// A file by its name, found from this file's own place.
    init(_ name: String) {
        path = Self.root.appending(path: "Cron/\(name)").path(percentEncoded: false)
    }

    /// The top of the working tree.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Its text.
    func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The documents of YAML that it holds.
    func documents() async throws -> [JSON] {
        let program = """
            import json, sys, yaml
            print(json.dumps(list(yaml.safe_load_all(open(sys.argv[1], encoding="utf-8")))))
            """
        let answer = try await OperationTools.run("python", "-c", program, path)
        #expect(answer.status == 0, "\(answer.told)")
        return try JSON(parsing: answer.told).elements
    }

    /// Every metric and label that `metrics.prom` of the sample run has.
    static func writtenNames() throws -> (metrics: Set<String>, labels: Set<String>) {
        let file = root.appending(path: "Reports/Samples/metrics.prom")
        let text = try String(contentsOf: file, encoding: .utf8)
        let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let metrics = samples.compactMap { $0.split(separator: "{").first.map(String.init) }
        let labels = samples.flatMap { $0.matches(of: /([a-z]+)="/).map { String($0.output.1) } }
        return (Set(metrics), Set(labels))
    }

    /// What a query names of Mooring's that no run writes; empty where all of it is written.
    static func unknownNames(in query: String) throws -> [String] {
        let written = try writtenNames()
        let metrics = query.matches(of: /mooring_[a-z_]+/).map { String($0.output) }
        let selected = query.matches(of: /([a-z_]+) *(?:=~|!~|!=|=) *"/).map {
            String($0.output.1)
        }
        let grouped = query.matches(of: /(?:by|without) *\(([a-z_, ]*)\)/).flatMap {
            $0.output.1.split { ", ".contains($0) }.map(String.init)
        }
        // Prometheus adds where a sample comes from.
        let labels = written.labels.union(["instance", "job"])
        return metrics.filter { !written.metrics.contains($0) }
            + (selected + grouped).filter { !labels.contains($0) }
    }
}
