import Foundation
package import Testing

/// Programs of others that read what Mooring writes for programs: JSON schemas, among them that of
/// SARIF, a reader of JUnit, and Prometheus' own parser.
package enum ReportReaders {
    /// Reads the files of a report folder; throws what a reader refused, or the file that lacks.
    package static func read(_ folder: String) async throws {
        let result = try await ServerScript.run("read-reports", [folder])
        guard result.status == 0 else { throw ServerError(result.told) }
    }

    /// Whether they can be had here; in CI the tests run in any case, and say what is missing.
    fileprivate static var areAvailable: Bool {
        get async {
            do {
                let result = try await ServerScript.run("install", ["reports"])
                guard result.status == 0 else { throw ServerError(result.told) }
                return true
            } catch {
                print("the readers of reports cannot be had: \(error)")
                return ProcessInfo.processInfo.environment["CI"] == "true"
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test only where PyPI is reached, or was once.
    package static var requiresReportReaders: Self {
        .enabled("needs readers of reports; the output says why they are not there") {
            await ReportReaders.areAvailable
        }
    }
}
