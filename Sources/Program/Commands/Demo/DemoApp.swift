package import MooringModel
import MooringSQLite

/// Writes a small, made-up app to try everything on: records in SQLite, a folder of files, planted
/// faults, a configuration and a README.
///
/// Two demos of one moment are equal byte for byte.
package enum DemoApp {
    private static let database = "app.sqlite"
    private static let copy = "phone.sqlite"

    /// Writes a demo into a folder that is new, or empty; on failure nothing is left behind.
    ///
    /// All ages are counted back from `now`, so what is settled and what is explained is the same
    /// whenever the demo is made. Throws `SetupError`.
    package static func write(to directory: String, now: Instant) throws -> DemoSummary {
        let content = DemoContent(now: now)
        let summary = summary(of: content, directory: directory)
        var folder = try DemoFolder(at: directory)
        do {
            try writeFiles(of: content, to: &folder)
            for (name, text) in DemoTexts.configurations {
                try folder.write(Array(text.utf8), to: ObjectKey(name), modified: now)
            }
            try folder.write(
                Array(DemoTexts.readme(summary).utf8), to: ObjectKey("README.md"), modified: now)
            try SQLiteScript.run(
                DemoDatabase.statements(for: content), path: "\(folder.draft)/\(database)")
            try SQLiteScript.run(
                DemoDatabase.copies(for: content), path: "\(folder.draft)/\(copy)")
            try folder.complete()
        } catch {
            folder.discard(
                alsoFiles: [database, copy].flatMap { name in
                    ["", "-wal", "-shm", "-journal"].map { name + $0 }
                })
            throw Self.setupError(error)
        }
        return summary
    }

    private static func writeFiles(
        of content: DemoContent, to folder: inout DemoFolder
    ) throws(SetupError) {
        for file in content.files {
            let key = ObjectKey(Array("files/".utf8) + file.key.bytes)
            try folder.write(file.content, to: key, modified: file.modified)
        }
        for (run, file) in content.quarantined {
            let prefix = "files/.mooring/quarantine/\(run.text)/"
            let key = ObjectKey(Array(prefix.utf8) + file.key.bytes)
            try folder.write(file.content, to: key, modified: file.modified)
        }
    }

    private static func summary(
        of content: DemoContent, directory: String
    ) -> DemoSummary {
        DemoSummary(
            directory: directory,
            records: content.songs.count + content.albums.count + content.posts.count
                + content.comments.count + content.contracts.count + content.joins.count,
            copies: content.copies.count,
            files: content.files.count,
            bytes: content.files.reduce(0) { $0 + Int64($1.content.count) },
            quarantined: content.quarantined.count,
            planted: content.planted.sorted {
                (order($0), $0.verdict.rawValue) < (order($1), $1.verdict.rawValue)
            })
    }

    private static func order(_ planted: DemoSummary.Planted) -> Int {
        let kind = FindingKind.allCases.firstIndex(of: planted.kind) ?? 0
        let cause = planted.cause.flatMap { FindingCause.allCases.firstIndex(of: $0) } ?? 0
        return kind * FindingCause.allCases.count + cause
    }

    private static func setupError(_ error: any Error) -> SetupError {
        if let error = error as? SetupError { return error }
        return SetupError(
            what: "\(error)", why: "no demo was written",
            next: "Run mooring demo DIR where there is room for a few megabytes.")
    }
}
