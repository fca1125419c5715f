package import Testing

/// Programs of others that read what Mooring writes for programs: JSON schemas, among them that of
/// SARIF, a reader of JUnit, and Prometheus' own parser.
package enum ReportReaders {
    /// Reads the files of a report folder; throws what a reader refused, or the file that lacks.
    package static func read(_ folder: String) async throws {
        let result = try await ServerScript.run("read-reports", [folder])
        guard result.status == 0 else { throw ServerError(result.told) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test only where PyPI is reached, or was once.
    package static var requiresReportReaders: Self {
        .enabled("needs readers of reports; the output says why they are not there") {
            await ServerScript.canInstall("reports", named: "the readers of reports")
        }
    }
}
