package import MooringModel

/// What could be told of a record of one source after an incident. Pure.
package struct RecordsOutlook: Sendable {
    private let source: String

    /// The outlook of a source of this name.
    package init(_ source: String) {
        self.source = source
    }

    /// The answer of a source of a kind whose store is asked for nothing.
    package func answers(kind: String, isLive: Bool) -> [IncidentAnswer] {
        let name = "records of \(source)"
        switch kind {
        case "dynamodbExport":
            return [
                IncidentAnswer(
                    name, .yes,
                    "incremental exports beside the full one tell what a record held before "
                        + "(mooring explain), as far as there are some")
            ]
        case "appsync":
            return [
                IncidentAnswer(
                    name, .unknown,
                    "not checked: the stream and the point-in-time recovery of the tables behind "
                        + "the API, which a source dynamodb: would read"),
                IncidentAnswer(
                    "conflicts of \(source)", .unknown,
                    "not checked, since rights on the API do not show it: see aws appsync "
                        + "get-graphql-api --api-id ID, logConfig; below fieldLogLevel ALL no log "
                        + "tells how a conflict was merged"),
            ]
        case _ where !isLive:
            return [
                IncidentAnswer(
                    name, .unknown,
                    "not known: a copy (\(kind)) does not say what its database keeps")
            ]
        default:
            return [
                IncidentAnswer(
                    name, .no,
                    "Mooring reads no history of changes from \(kind): when a record changed can "
                        + "be told by its change time, and else as an interval between two "
                        + "audits; what it held before, by backups alone")
            ]
        }
    }

    /// The answers of tables that tell what is kept of them.
    package func answers(_ tables: [TableTraces], isAWS: Bool) -> [IncidentAnswer] {
        [changes(tables), states(tables)] + expiries(tables) + (isAWS ? [trail] : [])
    }

    private func changes(_ tables: [TableTraces]) -> IncidentAnswer {
        let name = "changes of \(source)"
        if let untold = untold(name, tables, \.stream, "dynamodb:DescribeTable") { return untold }
        let without = tables.filter { $0.stream.value != .withOld }
        guard without.isEmpty else {
            return IncidentAnswer(
                name, .no,
                "no stream with old images of \(names(without)): what a record held before could "
                    + "not be told")
        }
        return IncidentAnswer(
            name, .yes,
            "streams hold what a record held before, for 24 hours, and longer as far as somebody "
                + "keeps them (mooring explain MODEL/ID --events FILE)")
    }

    private func states(_ tables: [TableTraces]) -> IncidentAnswer {
        let name = "states of \(source)"
        let permission = "dynamodb:DescribeContinuousBackups"
        if let untold = untold(name, tables, \.recovery, permission) { return untold }
        let off = tables.filter { $0.recovery.value == .off }
        guard off.isEmpty else {
            return IncidentAnswer(
                name, .no,
                "point-in-time recovery is off for \(names(off)): the state at a time could not be "
                    + "restored")
        }
        let since = tables.compactMap { table -> Instant? in
            guard case .since(let moment) = table.recovery.value else { return nil }
            return moment
        }.max()
        return IncidentAnswer(
            name, .yes,
            "every mapped table can be restored into a new one as of any second"
                + (since.map { " since \($0.iso8601)" } ?? " that its recovery covers"))
    }

    private func expiries(_ tables: [TableTraces]) -> [IncidentAnswer] {
        let name = "expiry of \(source)"
        if let untold = untold(name, tables, \.expiry, "dynamodb:DescribeTimeToLive") {
            return [untold]
        }
        let expiring = tables.filter { $0.expiry.value != .some(nil) }
        guard !expiring.isEmpty else { return [] }
        if let untold = untold(name, expiring, \.stream, "dynamodb:DescribeTable") {
            return [untold]
        }
        let traceless = expiring.filter { $0.stream.value == .off }
        guard traceless.isEmpty else {
            return [
                IncidentAnswer(
                    name, .no,
                    "records of \(names(traceless)) go by time to live, and no stream tells it: "
                        + "they could not be told from records that somebody deleted")
            ]
        }
        return [
            IncidentAnswer(
                name, .yes,
                "records of \(names(expiring)) go by time to live, and the stream names the "
                    + "service as who deleted them")
        ]
    }

    private var trail: IncidentAnswer {
        IncidentAnswer(
            "CloudTrail of \(source)", .unknown,
            "not checked, since rights on tables do not show it: see aws cloudtrail "
                + "get-event-selectors --trail-name NAME; without data events of the tables who "
                + "wrote a record could not be told")
    }

    private func untold<Value>(
        _ name: String, _ tables: [TableTraces],
        _ answer: KeyPath<TableTraces, StoreSettings.Answer<Value>>, _ permission: String
    ) -> IncidentAnswer? {
        for table in tables {
            if case .unknown(let reason) = table[keyPath: answer] {
                return .untold(
                    name, "table \(Quoted.text(Array(table.table.utf8))): \(reason)",
                    needs: permission)
            }
        }
        return nil
    }

    private static let mostNames = 5

    private func names(_ tables: [TableTraces]) -> String {
        let shown = tables.prefix(Self.mostNames).map { Quoted.text(Array($0.table.utf8)) }
        let rest = tables.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
