import Foundation
import MooringModel

/// Reads and writes `plan.json`.
enum PlanFile {
    private static let sizeLimit = 1 << 30

    /// Saves a plan in a folder, which is made when it is missing; replaces an earlier plan.
    static func save(_ plan: Plan, in folder: String) throws -> String {
        let path = "\(folder)/plan.json"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try Data(plan.json.prettyRendered).write(
                to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw CommandError(
                "\(path): could not be written (\(error.systemWords)); the ledger holds "
                    + "the plan: mooring repair \(plan.id)")
        }
        return path
    }

    /// Reads a plan from a file.
    static func read(_ path: String) throws -> Plan {
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw CommandError("\(path): could not be read (\(error.systemWords))")
        }
        do {
            return try Plan(json: JSONNode(parsing: Array(data)))
        } catch {
            throw CommandError("\(path): no plan, \(error); make one with mooring plan")
        }
    }
}
