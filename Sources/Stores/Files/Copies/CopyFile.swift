import MooringModel

/// A file that is a copy of a store, made at some moment before it is read.
struct CopyFile {
    /// The file as the user named it, which is how problems name it.
    let path: String
    /// When the copy was made, where the user said so.
    let taken: Instant?

    /// The open file and the scan's window; nil, after a problem, when it cannot be opened.
    func open(_ problems: inout ProblemList) -> (source: ByteSource, window: ScanWindow)? {
        do {
            let source = try ByteSource(path: path)
            let moment = taken ?? source.modified
            return (source, ScanWindow(from: moment, to: moment))
        } catch {
            problems.add(ScanProblem(place: path, reason: error.reason))
            return nil
        }
    }

    /// The result of a scan that could not begin.
    func unopened(_ problems: ProblemList) -> ScanResult {
        let moment = taken ?? .now
        return problems.result(
            window: ScanWindow(from: moment, to: moment), consistency: "snapshot")
    }

    /// The result of a scan that read what it could.
    func finish(
        _ source: ByteSource, _ window: ScanWindow, _ problems: inout ProblemList
    ) -> ScanResult {
        if let change = source.changeWhileRead() {
            problems.add(ScanProblem(place: path, reason: change))
        }
        var result = problems.result(window: window, consistency: "snapshot")
        result.state = source.state
        return result
    }

    /// A problem in a line of the file.
    func problem(_ line: Int, _ reason: String) -> ScanProblem {
        ScanProblem(place: path, line: line, reason: reason)
    }

    /// The refusal to look at one record, or to write it.
    func refusal(source: String) -> StoreError {
        StoreError(
            place: path, reason: "a copy never serves a repair: it does not tell what is there now",
            hint: "configure source \(source) as its live database to repair it")
    }
}

extension [UInt8] {
    /// A name of a column or attribute for people; invalid UTF-8 is repaired.
    var label: String { String(decoding: self, as: UTF8.self) }
}
