import Foundation
import MooringDecisions
import MooringFiles
import MooringModel
import MooringReporting

/// The tables that people decided in, as they come back.
struct ReviewFiles {
    /// The files in the order in which they were named; of a folder its tables by name.
    let paths: [String]

    /// The files and folders that a command line names.
    init(_ named: [String]) throws {
        paths = try named.flatMap { path -> [String] in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                isFolder.boolValue
            else { return [path] }
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: path)
            } catch {
                throw CommandError(
                    "\(VisibleText.ascii(path)): cannot be read (\(error.systemWords))")
            }
            // Programs that have a table open leave files of their own beside it.
            let tables = names.filter { $0.hasSuffix(".csv") && !$0.hasPrefix(".") }
            guard !tables.isEmpty else {
                throw CommandError(
                    "\(VisibleText.ascii(path)) holds no .csv file; mooring plan --by writes some")
            }
            return tables.sorted().map { "\(path)/\($0)" }
        }
    }

    /// What they say. One row that cannot be understood refuses all of them: whoever wrote it
    /// meant something.
    func words() throws -> ReviewWords {
        var words = ReviewWords()
        for (number, path) in paths.enumerated() {
            let table = EditedTable(
                path: path, needed: [ReviewTable.decision, ReviewTable.seen])
            do {
                try table.read { row in
                    if let line = try Self.line(row, file: number) { words.add(line) }
                }
            } catch let fault as EditedTable.Fault {
                let place = fault.line.map { ":\($0)" } ?? ""
                throw CommandError(
                    "\(VisibleText.ascii(path))\(place): \(fault.reason); no plan is made")
            }
        }
        return words
    }

    // Nil of a row that holds nothing but somebody's note.
    private static func line(
        _ row: EditedTable.Row, file: Int
    ) throws(EditedTable.Fault) -> ReviewLine? {
        let text = { (column: String) in
            row.cell(column).map { String(decoding: $0.trimmingBlanks, as: UTF8.self) }
        }
        let decision = row.cell(ReviewTable.decision) ?? []
        let isBlank = decision.trimmingBlanks.isEmpty
        let word = ReviewWord(decision)
        guard isBlank || word != nil else {
            throw EditedTable.Fault(
                line: row.line,
                reason: "column '\(ReviewTable.decision)': '"
                    + VisibleText.ascii(decision, width: 40)
                    + "' is no decision; write approve or keep, or nothing")
        }
        let cell = text(ReviewTable.seen) ?? ""
        if cell.isEmpty, isBlank { return nil }
        guard let seen = SeenState(cell) else {
            throw EditedTable.Fault(
                line: row.line,
                reason: "column '\(ReviewTable.seen)' is not as mooring plan --by wrote it: the "
                    + "row was changed, was cut off, or is another version's; write the files anew")
        }
        var line = ReviewLine(word, on: seen, at: ReviewLine.Place(file: file, line: row.line))
        // Their rest is of use only where something was approved.
        if word == .approve {
            line.strategy = text(ReviewTable.strategy)
            line.finding = text(ReviewTable.finding)
            line.key = row.cell(ReviewTable.key)
        }
        return line
    }
}
