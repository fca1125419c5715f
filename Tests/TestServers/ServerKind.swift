package import Testing
import Foundation

/// The servers that tests run against.
package enum ServerKind: String, CaseIterable, Sendable {
    /// Quick, from PyPI: takes any signature, honours every condition, has versions.
    case ministack
    /// The real thing, from Debian: checks signatures and policies, ignores conditions on DELETE.
    case ceph
    /// A folder behind S3, from PyPI: ignores every condition, knows no sub-resources.
    case rclone
    /// PostgreSQL from Debian, with a standby that follows it.
    case postgres
    /// DynamoDB's second opinion, from PyPI: takes any signature, closes each connection.
    case moto

    /// APIs of GraphQL as AppSync has them, by graphql-core from PyPI.
    case appsync
    /// A receiver of pings and webhooks, which it verifies by a library from PyPI.
    case notices

    /// Whether `make test` starts it; the others need `make integration`.
    var isForEveryRun: Bool { [.ministack, .moto, .postgres, .appsync, .notices].contains(self) }

    /// Whether tests against it can run here and now; prints why when they cannot.
    ///
    /// In CI a server that cannot be installed is a failure, and not a reason to skip: the tests
    /// run, and say what is missing.
    package var isAvailable: Bool {
        get async {
            let variables = ProcessInfo.processInfo.environment
            guard isForEveryRun || variables["MOORING_INTEGRATION"] == "1" else {
                Told.once("skipped: tests against \(rawValue), which make integration runs")
                return false
            }
            do {
                try await Servers.shared.install(self)
                return true
            } catch {
                Told.once("\(rawValue) cannot be had: \(error)")
                return variables["CI"] == "true"
            }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs a test or suite only where a server can be had: MiniStack, moto and the APIs of
    /// GraphQL wherever PyPI is reached, PostgreSQL wherever Debian has it, the others with
    /// MOORING_INTEGRATION=1, which `make integration` sets.
    package static func requires(_ kind: ServerKind) -> Self {
        .enabled("needs \(kind.rawValue); the output says why it is not there") {
            await kind.isAvailable
        }
    }
}

/// Lines for a person, each printed once.
private enum Told {
    private static let seen = Seen()

    private final class Seen: @unchecked Sendable {
        let lock = NSLock()
        var lines: Set<String> = []
    }

    static func once(_ line: String) {
        let isNew = seen.lock.withLock { seen.lines.insert(line).inserted }
        if isNew { print(line) }
    }
}
