import MooringModel
import MooringText

/// The exports that lie in one place: one of each table is read.
struct ExportCatalogue {
    /// An export that is read, with its parts.
    struct Export {
        /// The configuration's name of its table.
        let table: String
        /// What it says of itself.
        let summary: ExportSummary
        /// Its data files.
        let parts: [ExportPart]
        /// The incremental exports whose changes are applied to it, oldest first.
        var changes: [Export] = []
        /// The moment whose state all of that tells.
        var moment: Instant
    }

    /// The newest full export of each table, by the table's configured name.
    private(set) var full: [Export] = []
    /// All incremental exports, oldest first.
    private(set) var incremental: [Export] = []
    /// Why something of them cannot be trusted.
    private(set) var problems: [ScanProblem] = []
    /// What has to be said and is no problem.
    private(set) var notes: [String] = []

    private let store: any ExportStore
    private let names: TableNames
    private let appliesChanges: Bool
    private var files: Set<String> = []
    private var extras = ExportExtras()

    /// Finds the exports in a place, and checks their manifests; incremental ones are applied to
    /// the full one of their table, or serve as evidence alone. Throws `StoreError` where the place
    /// cannot be read, and `CancellationError`.
    init(
        _ store: any ExportStore, names: TableNames, applyingChanges appliesChanges: Bool = false
    ) async throws {
        self.store = store
        self.names = names
        self.appliesChanges = appliesChanges
        files = Set(try await store.files())
        let folders = files.filter { ExportPath.name(of: $0) == "manifest-summary.json" }
            .map(ExportPath.folder).sorted()
        extras.folders = Set(folders)
        findUnfinished(folders)
        if folders.isEmpty {
            add("", "there is no manifest-summary.json: no export lies here, or none is finished")
        }
        var summaries: [(table: String, summary: ExportSummary)] = []
        for folder in folders {
            guard let summary = try await summary(in: folder) else { continue }
            guard let table = names.configured(summary.table) else {
                if summary.isIncremental { try await note(changesOf: summary) }
                notes.append(
                    "the export of table \(Quoted.name(summary.table)) is not read: tablePrefix "
                        + "and tableSuffix do not fit")
                continue
            }
            summaries.append((table, summary))
        }
        if summaries.isEmpty, !folders.isEmpty, problems.isEmpty {
            add("", "no export's table fits tablePrefix and tableSuffix; check them")
        }
        try await choose(summaries)
        // What could not be read may name any of them.
        guard problems.isEmpty else { return }
        for file in extras.unnamedChanges(among: files) {
            add(file, "is not in the manifest of any export")
        }
    }

    // Exports of other tables share the folder for changes.
    private mutating func note(changesOf summary: ExportSummary) async throws {
        let path = path(summary.folder, "manifest-files.json")
        guard files.contains(path) else { return extras.hide(summary) }
        let bytes = try await store.whole(path)
        do throws(ItemFault) {
            extras.note(try ExportPart.parts(bytes, of: summary), of: summary)
        } catch {
            // Nobody reads that table: which changes are its own is all that is not known.
            extras.hide(summary)
        }
    }

    private mutating func choose(
        _ summaries: [(table: String, summary: ExportSummary)]
    ) async throws {
        for table in Set(summaries.map(\.table)).sorted() {
            let own = summaries.filter { $0.table == table }.map(\.summary)
                .sorted { $0.time < $1.time }
            let states = own.filter { !$0.isIncremental }
            if Set(own.map(\.arn)).count > 1 {
                add(
                    "",
                    "holds exports of several tables named \(Quoted.name(table)), of other regions "
                        + "or accounts; only the newest is read")
            }
            let base = full.count
            if let newest = states.last {
                if let export = try await export(table, newest) { full.append(export) }
                for older in states.dropLast() {
                    notes.append(
                        "the export \(shown(older.folder)) of table \(Quoted.name(table)) is not "
                            + "read: a newer one is there")
                }
            } else {
                add(
                    own.first?.folder ?? "",
                    "holds changes of table \(Quoted.name(table)) alone, and no full export of it "
                        + "is there: nobody can tell its state from them")
            }
            let begin = incremental.count
            for changes in own.filter(\.isIncremental) {
                if let export = try await export(table, changes) { incremental.append(export) }
            }
            var applied: Set<String> = []
            if appliesChanges, base < full.count {
                applied = apply(incremental[begin...], toExport: base)
            }
            if states.isEmpty { continue }
            for changes in own where changes.isIncremental && !applied.contains(changes.folder) {
                notes.append(
                    "the incremental export \(shown(changes.folder)) of table "
                        + "\(Quoted.name(table)) is not applied to it"
                        + (appliesChanges ? "" : " ('incremental: apply' does)")
                        + ": it serves mooring explain")
            }
        }
    }

    // The folders of those that are applied. One whose manifests cannot be read is a problem
    // already, and would be missing in the chain.
    private mutating func apply(
        _ changes: ArraySlice<Export>, toExport place: Int
    ) -> Set<String> {
        let base = full[place]
        let chain = ExportChain(from: base.summary, with: changes.map(\.summary))
        if let problem = chain.problem {
            add(base.summary.folder, "of table \(Quoted.name(base.table)): \(problem)")
            return []
        }
        let folders = Set(chain.links.map(\.folder))
        full[place].changes = changes.filter { folders.contains($0.summary.folder) }
        full[place].moment = chain.end
        if !folders.isEmpty {
            notes.append(
                "incremental exports applied to the full one of table "
                    + "\(Quoted.name(base.table)): \(folders.count); its records are those of "
                    + "\(chain.end.iso8601)")
        }
        return folders
    }

    private mutating func findUnfinished(_ folders: [String]) {
        let begun = files.filter {
            ["_started", "manifest-files.json"].contains(ExportPath.name(of: $0))
        }
        for folder in Set(begun.map(ExportPath.folder)).subtracting(folders).sorted() {
            add(folder, "is an export that is not finished: it has no manifest-summary.json")
        }
    }

    private mutating func summary(in folder: String) async throws -> ExportSummary? {
        let path = path(folder, "manifest-summary.json")
        let bytes = try await store.whole(path)
        try await check(path, bytes)
        do throws(ItemFault) {
            return try ExportSummary(bytes, folder: folder)
        } catch {
            add(path, error.reason)
            return nil
        }
    }

    private mutating func export(
        _ table: String, _ summary: ExportSummary
    ) async throws -> Export? {
        let path = path(summary.folder, "manifest-files.json")
        guard files.contains(path) else {
            add(path, "is missing")
            return nil
        }
        let bytes = try await store.whole(path)
        try await check(path, bytes)
        let parts: [ExportPart]
        do throws(ItemFault) {
            parts = try ExportPart.parts(bytes, of: summary)
        } catch {
            add(path, error.reason)
            return nil
        }
        let sum = parts.reduce(0) { sum, part in
            let (total, isOver) = sum.addingReportingOverflow(part.itemCount)
            return isOver ? .max : total
        }
        if sum != summary.itemCount {
            add(path, "names parts of \(sum) items, and the summary says \(summary.itemCount)")
        }
        for part in parts where !files.contains(part.path) { add(part.path, "is missing") }
        findExtra(parts, summary)
        return Export(
            table: table, summary: summary, parts: parts.filter { files.contains($0.path) },
            moment: summary.time)
    }

    // Of incremental exports, which share one folder for their data, that is told of all together.
    private mutating func findExtra(_ parts: [ExportPart], _ summary: ExportSummary) {
        guard !summary.isIncremental else { return extras.note(parts, of: summary) }
        if Set(parts.map(\.path)).count < parts.count {
            add(path(summary.folder, "manifest-files.json"), "names a data file twice")
        }
        for file in extras.unnamed(among: files, parts, summary.folder) {
            add(file, "is not in the manifest")
        }
    }

    private mutating func check(_ path: String, _ bytes: [UInt8]) async throws {
        let stem = path.dropLast("json".count)
        guard let file = ["checksum", "md5"].map({ stem + $0 }).first(where: files.contains) else {
            return add(stem + "checksum", "is missing, so that nobody can check its file")
        }
        if ExportChecksum.said(try await store.whole(file)) != ExportChecksum.of(bytes) {
            add(path, "is damaged: its MD5 is not the one in \(ExportPath.name(of: file))")
        }
    }

    private func path(_ folder: String, _ name: String) -> String {
        folder.isEmpty ? name : folder + "/" + name
    }

    private mutating func add(_ path: String, _ reason: String) {
        problems.append(
            ScanProblem(
                place: path.isEmpty ? store.place : "\(store.place)/\(Quoted.line(path))",
                reason: reason))
    }

    private func shown(_ folder: String) -> String {
        folder.isEmpty ? "in \(store.place)" : Quoted.line(String(ExportPath.name(of: folder)))
    }
}
