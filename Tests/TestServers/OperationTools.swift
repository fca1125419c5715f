package import Testing

/// Programs of others that administrators hold Mooring's files against: promtool, ncdu, logrotate
/// and a validator of Kubernetes' schemas.
package enum OperationTools {
    /// How a program ended, and all that it printed.
    package struct Answer {
        /// The exit status.
        package let status: Int32
        /// Both streams, without blanks at the ends.
        package let told: String
    }

    /// Runs one of them: `promtool`, `ncdu`, `logrotate`, `kubernetes-validate`, or the `python`
    /// that reads YAML.
    package static func run(_ program: String, _ arguments: String...) async throws -> Answer {
        let result = try await ServerScript.run("operations", [program] + arguments)
        return Answer(status: result.status, told: result.told)
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test only where Debian's packages and PyPI are reached, or were once.
    package static var requiresOperationTools: Self {
        .enabled("needs promtool and others; the output says why they are not there") {
            await ServerScript.canInstall("operations", named: "the tools of administrators")
        }
    }
}
