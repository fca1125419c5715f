import Glibc
import MooringModel

/// Reads data files side by side, some of each at a time, so that memory does not grow with them.
struct ExportScan {
    /// Where the files lie.
    let store: any ExportStore

    // As many as cores, and not so many that the pieces of all of them take much memory.
    private static var width: Int { max(1, min(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 8)) }

    /// Reads parts to their ends, each with lines of its own; returns what was wrong with them.
    /// Throws what `receive` throws, and `CancellationError`.
    func read<Lines: ExportLines>(
        _ parts: [(part: ExportPart, lines: () -> Lines)],
        _ receive: (Lines.Output) async throws -> Void
    ) async throws -> [ScanProblem] {
        typealias Reader = ExportPartReader<Lines>
        var problems: [ScanProblem] = []
        var waiting = parts.makeIterator()
        try await withThrowingTaskGroup(of: (Reader, Reader.Turn).self) { group in
            func begin() {
                guard let next = waiting.next() else { return }
                let reader = Reader(next.part, in: store, next.lines())
                group.addTask { (reader, try await reader.next()) }
            }
            for _ in 0..<Self.width { begin() }
            while let (reader, turn) = try await group.next() {
                try Task.checkCancellation()
                // The next turn is on its way before this one is handed on.
                if turn.isLast {
                    begin()
                } else {
                    group.addTask { (reader, try await reader.next()) }
                }
                problems += turn.problems
                for output in turn.output { try await receive(output) }
            }
        }
        return problems
    }
}
