import GRDB
package import MooringModel

/// A run's findings one after the other in the order of reports; holds one page of them.
///
/// Pages are read apart: a run that is removed meanwhile ends early.
package struct FindingStream {
    private let ledger: Ledger
    private let run: RunID
    private let filter: FindingFilter
    private var kinds: ArraySlice<String>
    private var page: ArraySlice<Finding> = []
    private var place: Ledger.FindingPlace?

    /// The findings of a run that fit.
    package init(_ ledger: Ledger, run: RunID, filter: FindingFilter = FindingFilter()) {
        self.ledger = ledger
        self.run = run
        self.filter = filter
        let all = filter.kinds.isEmpty ? Set(FindingKind.allCases) : filter.kinds
        kinds = all.map(\.rawValue).sorted()[...]
    }

    /// The next finding; nil behind the last one.
    package mutating func next() throws -> Finding? {
        while page.isEmpty {
            guard let kind = kinds.first else { return nil }
            let (run, filter, place) = (run, filter, place)
            let read = try ledger.read("reading findings of run \(run.text)") { db in
                try Ledger.page(of: kind, in: run, filter, after: place, db)
            }
            page = read.findings[...]
            self.place = read.next
            if read.next == nil { kinds = kinds.dropFirst() }
        }
        return page.removeFirst()
    }
}

extension Ledger {
    /// A run's finding of this id; nil when it has none.
    package func finding(_ id: String, in run: RunID) throws(LedgerError) -> Finding? {
        try read("reading a finding of run \(run.text)") { db in
            let select = try db.cachedStatement(
                sql: """
                    SELECT document FROM finding
                    WHERE id = ? AND run = (SELECT number FROM run WHERE id = ?)
                    """)
            guard let row = try Row.fetchOne(select, arguments: [Blob(id), run.text]) else {
                return nil
            }
            return try document(row[0], Finding.init(json:))
        }
    }
}
