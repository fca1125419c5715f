import MooringModel
import Synchronization

/// How much read capacity scans consume in a second at most.
package enum ReadRate: Hashable, Sendable {
    /// So many units for all tables together, as the configuration says.
    case fixed(Int)
    /// Of each table half of what it gives, so that the app's own reads keep the other half.
    case ofTable
}

/// The budgets of one scan: one that all tables share, or one for each.
final class ReadBudgets: Sendable {
    /// What an on-demand table gives to a scan unless its own maximum is lower: half of the 3,000
    /// units that one partition serves in a second (re:Post, "Why is my on-demand DynamoDB table
    /// being throttled?"), since the service does not tell how many it has.
    static let onDemand = 1_500

    private let shared: CapacityBudget?
    private let own: [String: CapacityBudget]

    /// The budgets of tables by their names, that so many pages share.
    init(_ rate: ReadRate, tables: [String: Int], lanes: Int) {
        switch rate {
        case .fixed(let units):
            shared = CapacityBudget(rate: units, lanes: lanes)
            own = [:]
        case .ofTable:
            shared = nil
            own = tables.mapValues { CapacityBudget(rate: $0, lanes: lanes) }
        }
    }

    /// The budget of a table.
    func budget(of table: String) -> CapacityBudget {
        // Each table of a scan was given one; another is read as slowly as can be.
        own[table] ?? shared ?? CapacityBudget(rate: 1, lanes: 1)
    }

    /// What the service said was consumed; nil where it did not say it of every page.
    var consumed: Double? {
        let all = shared.map { [$0] } ?? Array(own.values)
        var sum = 0.0
        for budget in all {
            guard let units = budget.consumed else { return nil }
            sum += units
        }
        return sum
    }
}

extension TableDescription {
    /// The units a second that a scan of the table consumes at most where nobody says otherwise, at
    /// least 1.
    var scanRate: Int {
        if let provisioned { return max(1, provisioned / 2) }
        return max(1, min(mostOnDemand.map { $0 / 2 } ?? .max, ReadBudgets.onDemand))
    }
}

extension DynamoDBSource {
    /// The budgets of a scan of these tables. Throws what is no failure of the service.
    func budgets(for targets: [ScanTarget]) async throws -> ReadBudgets {
        var rates: [String: Int] = [:]
        if settings.rate == .ofTable {
            for target in targets {
                rates[target.table] = try await scanRate(of: target.table)
            }
        }
        return ReadBudgets(settings.rate, tables: rates, lanes: settings.segments)
    }

    private func scanRate(of table: String) async throws -> Int {
        try await known(table)?.scanRate ?? ReadBudgets.onDemand
    }

    /// The description of a table; nil where the service does not describe it: what is wrong with
    /// it the scan itself says.
    func known(_ table: String) async throws -> TableDescription? {
        do {
            return try await catalogue.description(table)
        } catch {
            guard refusal(table).storeError(error) != nil else { throw error }
            return nil
        }
    }
}
