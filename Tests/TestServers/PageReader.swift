package import Testing

/// Chromium, in which a report's page is used as a reader does.
package enum PageReader {
    /// Uses the page at a path; throws what is not as it should be.
    package static func use(_ page: String) async throws {
        let result = try await ServerScript.run("read-page", [page])
        guard result.status == 0 else { throw ServerError(result.told) }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test only where Chromium is there, or can be had from Debian, and PyPI was reached.
    package static var requiresBrowser: Self {
        .enabled("needs a browser; the output says why there is none") {
            await ServerScript.canInstall("browser", named: "a browser")
        }
    }
}
