package import MooringModel

// What a run reads, and what that consumes.

extension DynamoDBSource {
    // A read request unit is 4 KB read consistently, or 8 KB otherwise (DynamoDB developer guide,
    // "DynamoDB read and write operations").
    private static let unit = 4_096.0
    // Of an account with very many tables the large ones are told one by one.
    private static let mostTold = 30

    private struct Sized {
        let table: String
        let description: TableDescription?
        var units = 0.0
    }

    /// The tables that the scopes read, the largest first, each with its size and the bound of its
    /// reads; then what all of it consumes; then how many tables are left to others.
    package func cost(_ scopes: [RecordScope]) async throws -> [String] {
        var names: [String] = []
        if scopes.contains(where: { if case .all = $0 { true } else { false } }) {
            names = try await inWords(nil) { try await self.catalogue.tables() }
        }
        let choice = TableChoice(settings, among: names)
        var sized: [String: Sized] = [:]
        for scope in scopes {
            for (table, perUnit) in tables(of: scope, choice) {
                // The catalogue asks once for each table.
                let description = try await known(table)
                var own = sized[table] ?? Sized(table: table, description: description)
                own.units += (Double(description?.bytes ?? 0) / perUnit).rounded(.up)
                sized[table] = own
            }
        }
        let order = sized.values.sorted {
            ($1.description?.bytes ?? 0, $0.table) < ($0.description?.bytes ?? 0, $1.table)
        }
        return order.prefix(Self.mostTold).map(told) + whole(order) + left(choice.others)
    }

    private func tables(
        of scope: RecordScope, _ choice: TableChoice
    ) -> [(table: String, perUnit: Double)] {
        switch scope {
        case .columns(let wanted):
            let perUnit = settings.isConsistent ? Self.unit : 2 * Self.unit
            return Set(wanted.map(\.table)).map { ($0, perUnit) }
        case .all:
            return choice.chosen.filter { !scope.leavesOut($0) }.map { ($0, Self.unit) }
        }
    }

    private func told(_ own: Sized) -> String {
        let description = own.description
        let rate = description?.scanRate ?? ReadBudgets.onDemand
        var text = "table \(Quoted.name(settings.names.stored(own.table))): "
        if let items = description?.items, let bytes = description?.bytes {
            text += "\(Measure.count(items, "item")), \(Measure.bytes(bytes))"
        } else {
            text += "the service does not say its size"
        }
        guard settings.rate == .ofTable else { return text }
        let why =
            description?.provisioned != nil
            ? "half of what is provisioned"
            : description?.mostOnDemand != nil && rate < ReadBudgets.onDemand
                ? "half of its maximum" : "on demand"
        return text + ", read with at most \(rate) units a second (\(why))"
    }

    private func whole(_ order: [Sized]) -> [String] {
        let units = order.map(\.units).reduce(0, +)
        let bytes = order.compactMap(\.description?.bytes).reduce(0, +)
        let more = order.count - Self.mostTold
        let rest = more > 0 ? " (\(Measure.count(more, "smaller table")) not shown)" : ""
        let pace: String
        if case .fixed(let rate) = settings.rate {
            pace = ", with at most \(rate) units a second"
        } else {
            pace = ""
        }
        return [
            "a run reads \(Measure.count(order.count, "table"))\(rest), "
                + "\(Measure.bytes(bytes)): about \(Int64(units)) read request units\(pace); "
                + "sizes are up to six hours old"
        ]
    }

    private func left(_ others: [String]) -> [String] {
        guard !others.isEmpty else { return [] }
        let names = others.prefix(5).map { Quoted.name(settings.names.stored($0)) }
        return [
            "\(Measure.count(others.count, "table")) that tables: does not name "
                + "\(others.count == 1 ? "is" : "are") not read, and no value there protects a "
                + "file: \(names.joined(separator: ", "))" + (others.count > 5 ? ", …" : "")
        ]
    }
}
