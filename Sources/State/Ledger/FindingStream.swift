import GRDB
package import MooringModel

/// A run's findings one after the other in the order of reports; holds one page of them.
///
/// Pages are read apart: a run that is removed meanwhile ends early.
package struct FindingStream {
    private let ledger: Ledger
    private let run: RunID
    private let filter: FindingFilter
    // The run with which the findings are compared that may have changed; nil where all are told.
    private let other: RunID?
    private var rows: ArraySlice<Int64>?
    private var kinds: ArraySlice<String>
    private var page: ArraySlice<Finding> = []
    private var place: Ledger.FindingPlace?

    /// The findings of a run that fit; where another run of its series is named, only those that
    /// do not stand all the time between the two.
    ///
    /// Then eight bytes are held for each of them.
    package init(
        _ ledger: Ledger, run: RunID, filter: FindingFilter = FindingFilter(),
        changedSince other: RunID? = nil
    ) {
        self.ledger = ledger
        self.run = run
        self.filter = filter
        self.other = other
        kinds = filter.kindCodes[...]
    }

    /// The next finding; nil behind the last one.
    package mutating func next() throws -> Finding? {
        while page.isEmpty {
            guard try other == nil ? readPage() : readChanged() else { return nil }
        }
        return page.removeFirst()
    }

    private mutating func readPage() throws -> Bool {
        guard let kind = kinds.first else { return false }
        let (run, filter, place) = (run, filter, place)
        let read = try ledger.read("reading findings of run \(run.text)") { db in
            try Ledger.page(of: kind, in: run, filter, after: place, db)
        }
        page = read.findings[...]
        self.place = read.next
        if read.next == nil { kinds = kinds.dropFirst() }
        return true
    }

    private mutating func readChanged() throws -> Bool {
        let (run, filter, other) = (run, filter, other)
        let refused = "reading findings of run \(run.text)"
        let known =
            try rows
            ?? ledger.read(refused) { db in
                let interval = try other.flatMap { try RunInterval(from: run, to: $0, db) }
                return try interval?.changed(filter, db)[...] ?? []
            }
        rows = known.dropFirst(Ledger.pageSize)
        guard !known.isEmpty else { return false }
        let read = try ledger.read(refused) { db in
            guard let recorded = try RecordedRun(run, db) else { return [Finding]() }
            return try recorded.findings(known.prefix(Ledger.pageSize), db)
        }
        page = read[...]
        return true
    }
}

extension Ledger {
    /// A run's finding of this id; nil when it has none.
    package func finding(_ id: String, in run: RunID) throws(LedgerError) -> Finding? {
        try read("reading a finding of run \(run.text)") { db in
            guard let recorded = try RecordedRun(run, db) else { return nil }
            let select = try db.cachedStatement(
                sql: """
                    SELECT document, runs, \(RecordedRun.offset) FROM finding
                    WHERE id = ? AND +series = ? AND \(RecordedRun.holds)
                    """)
            let place = recorded.place
            let row = try Row.fetchOne(
                select, arguments: [place, Blob(id), recorded.series, place, place])
            return try row.map { try recorded.finding($0[0], runs: $0[1], offset: $0[2]) }
        }
    }

    /// How many of the findings that fit stand unchanged in every member from one run to the
    /// other, and in each between; nil where the two are of different series, and only comparing
    /// all of them tells.
    package func standing(
        from run: RunID, to other: RunID, _ filter: FindingFilter = FindingFilter()
    ) throws(LedgerError) -> Int? {
        try read("comparing run \(run.text) with run \(other.text)") { db in
            try RunInterval(from: run, to: other, db)?.standing(filter, db)
        }
    }
}
