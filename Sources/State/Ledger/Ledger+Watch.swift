import GRDB
package import MooringModel

/// An object in quarantine, and the complete runs that saw no reference to it.
package struct WatchedObject: Hashable, Sendable {
    /// The object.
    package var object: QuarantinedObject
    /// When the first of the runs looked; nil while there is none.
    package var firstCleanAt: Instant?
    /// When the last of them looked; nil while there is none.
    package var lastCleanAt: Instant?
    /// How many runs without a break saw no reference.
    package var cleanRuns: Int
    /// What the looks of these runs prove of the time between them.
    package var looks: CleanLooks
    /// The sources that each of these runs read, by their stamps; nil where that was not kept.
    package var sources: Set<String>?

    /// A watched object.
    package init(
        object: QuarantinedObject, firstCleanAt: Instant? = nil, lastCleanAt: Instant? = nil,
        cleanRuns: Int = 0, looks: CleanLooks = CleanLooks()
    ) {
        self.object = object
        self.firstCleanAt = firstCleanAt
        self.lastCleanAt = lastCleanAt
        self.cleanRuns = cleanRuns
        self.looks = looks
    }

    /// What is known to a run that reads these sources: looks that left one of them out say nothing
    /// of who references the object from there.
    package func known(reading sources: Set<String>) -> WatchedObject {
        self.sources.map(sources.isSubset) == true ? self : WatchedObject(object: object)
    }
}

extension Ledger {
    /// Notes whether a run saw references to objects in quarantine.
    ///
    /// A run counts once. A reference sets the count to 0 at once, and so does another version at
    /// the same place. What the run counts is taken back unless `closeWatch` follows before
    /// another run counts or begins. `look` tells from when to when it read the records; nil stands
    /// for the instant itself. `sources` are the stamps of those that it read: one that the runs
    /// before it did not read begins the count anew, as a reference does.
    package func watch(
        _ items: [(bucket: String, object: QuarantinedObject, referenced: Bool)],
        at instant: Instant, run: RunID, look: CleanLook? = nil, sources: Set<String>? = nil
    ) throws(LedgerError) {
        try write("noting the quarantine watch of run \(run.text)") { db in
            let select = try db.cachedStatement(
                sql: """
                    SELECT size, etag, lastModified, versionID, \(RunTally.columns),
                        \(WatchLooks.columns), sources FROM watch
                    WHERE bucket = ? AND key = ? AND quarantineRun = ?
                    """)
            let store = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO watch
                        (bucket, key, quarantineRun, size, etag, lastModified, versionID,
                        \(RunTally.columns), \(WatchLooks.columns), sources)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for (bucket, object, referenced) in items {
                let place: StatementArguments = [
                    Blob(bucket), Blob(object.key.bytes), object.run.text,
                ]
                var (tally, looks) = (RunTally(), WatchLooks())
                var read: Set<String>?
                if let row = try Row.fetchOne(select, arguments: place),
                    Self.version(row, from: 0) == object.version
                {
                    tally = RunTally(row, from: 4)
                    looks = try WatchLooks(row, from: 10, tally, quarantinedBy: object.run)
                    read = RunSources.stamps(row[12])
                }
                if referenced {
                    tally.reset(run: run)
                    looks = WatchLooks()
                } else {
                    if tally.lastRun != run.text {
                        if let sources, read.map(sources.isSubset) != true {
                            (tally, looks) = (RunTally(), WatchLooks())
                        }
                        looks.count(
                            look ?? CleanLook(at: instant),
                            takingBack: tally.runs > tally.closedRuns)
                    }
                    tally.count(at: instant, run: run)
                }
                try store.execute(
                    arguments: place + object.version.arguments + tally.arguments
                        + looks.arguments + [RunSources.blob(sources ?? read)])
            }
        }
    }

    /// Ends the watch over a bucket in a complete run: what it counted counts, and what it did not
    /// list is forgotten.
    package func closeWatch(run: RunID, bucket: String) throws(LedgerError) {
        try write("closing the quarantine watch of run \(run.text)") { db in
            try db.execute(
                sql: "DELETE FROM watch WHERE bucket = ? AND lastRun <> ?",
                arguments: [Blob(bucket), run.text])
            try db.execute(
                sql: """
                    UPDATE watch SET closedRuns = runs, closedAt = lastAt, closedLooks = looks
                    WHERE bucket = ?
                    """,
                arguments: [Blob(bucket)])
        }
    }

    /// Everything watched in a bucket, by key bytes, then by the run that removed it.
    package func quarantineWatch(bucket: String) throws(LedgerError) -> [WatchedObject] {
        try read("reading the quarantine watch") { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    SELECT key, quarantineRun, size, etag, lastModified, versionID,
                        \(RunTally.columns), \(WatchLooks.columns), sources
                    FROM watch WHERE bucket = ? ORDER BY key, quarantineRun
                    """, arguments: [Blob(bucket)])
            var watched: [WatchedObject] = []
            while let row = try rows.next() {
                guard let run = RunID(row[1] as String) else {
                    throw DocumentError("a run's id has another form")
                }
                let (key, tally): (Blob, RunTally) = (row[0], RunTally(row, from: 6))
                var object = WatchedObject(
                    object: QuarantinedObject(
                        key: ObjectKey(key.bytes), run: run,
                        version: Self.version(row, from: 2)),
                    firstCleanAt: tally.firstAt, lastCleanAt: tally.lastAt,
                    cleanRuns: tally.runs,
                    looks: try WatchLooks(row, from: 12, tally, quarantinedBy: run).looks)
                object.sources = RunSources.stamps(row[14])
                watched.append(object)
            }
            return watched
        }
    }

    private static func version(_ row: Row, from index: Int) -> ObjectVersion {
        let (etag, versionID): (Blob, Blob?) = (row[index + 1], row[index + 3])
        return ObjectVersion(
            size: row[index], etag: etag.text, lastModified: row[index + 2],
            versionID: versionID?.text)
    }
}

extension ObjectVersion {
    /// The values of the version's columns.
    fileprivate var arguments: StatementArguments {
        [size, Blob(etag), lastModified, versionID.map { Blob($0) }]
    }
}
