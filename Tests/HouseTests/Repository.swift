import Foundation
import Testing

/// Records one issue that lists every breach on a line of its own.
func expectNone(_ breaches: [String], at location: SourceLocation = #_sourceLocation) {
    guard !breaches.isEmpty else { return }
    let list = (["\(breaches.count) breaches:"] + breaches).joined(separator: "\n")
    Issue.record("\(list)", sourceLocation: location)
}

/// The working tree these tests look at, found from this file's own place in it.
enum Repository {
    /// The folder that holds Package.swift.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The files below a folder with one of these extensions, as sorted paths from the root.
    /// Hidden files, and what a run or a build leaves behind, are not part of the project.
    static func files(below folder: String, extensions: Set<String>) -> [String] {
        let start = root.appending(path: folder)
        let enumerator = FileManager.default.enumerator(atPath: start.path(percentEncoded: false))
        var found: [String] = []
        while let name = enumerator?.nextObject() as? String {
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            guard !isHidden, extensions.contains((name as NSString).pathExtension) else { continue }
            found.append(folder + "/" + name)
        }
        return found.filter { !$0.hasPrefix("Reports/Runs/") }.sorted()
    }

    /// The files directly in the root with this extension.
    static func filesInRoot(extension wanted: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))
            .filter { ($0 as NSString).pathExtension == wanted }.sorted()
    }

    /// A file's text.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Whether a file or folder is there.
    static func holds(_ path: String) -> Bool {
        let place = root.appending(path: path).path(percentEncoded: false)
        return FileManager.default.fileExists(atPath: place)
    }

    /// Every page of documentation that is written by hand.
    static func pages() throws -> [String] {
        var pages = try filesInRoot(extension: "md")
        for folder in ["Sources", "Cron", "Reports", "Examples", "Benchmarks", "Docs"] {
            pages += files(below: folder, extensions: ["md"])
        }
        return pages
    }
}
