import MooringModel

/// Which of the tables that prefix and suffix fit belong to the app.
///
/// A table that no entry of the list names is somebody else's, as the configuration says in words:
/// its values are no references, and nothing of it is read.
struct TableChoice {
    /// The tables to read, in the service's order.
    let chosen: [String]
    /// Those that are left to others, in the service's order.
    let others: [String]
    /// Why an absence is not proven by the tables that were found, each in a sentence.
    let problems: [String]

    /// The choice of the settings among tables by the configuration's names.
    init(_ settings: TableSettings, among tables: [String]) {
        let mapped = Set(settings.models.map(\.table))
        let keys = tables.map { ObjectKey($0) }
        let patterns = settings.tables
        let isChosen = zip(tables, keys).map { table, key in
            patterns?.contains { $0.matches(key) } ?? true || mapped.contains(table)
        }
        chosen = zip(tables, isChosen).filter(\.1).map(\.0)
        others = zip(tables, isChosen).filter { !$0.1 }.map(\.0)
        // One that fits nothing may be a slip for a table that holds references.
        var problems = (patterns ?? []).filter { pattern in
            !keys.contains(where: pattern.matches)
        }.map { pattern in
            "no table fits \(Quoted.name(pattern.pattern)) of tables; check it, tablePrefix, "
                + "tableSuffix and region, or take it out"
        }
        // Without any table there is nothing that could prove an absence.
        if problems.isEmpty, chosen.isEmpty {
            problems = ["no table fits tablePrefix and tableSuffix; check them, and region"]
        }
        self.problems = problems
    }
}
