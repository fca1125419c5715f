import Foundation
import MooringModel
import Synchronization

@testable import MooringAWS

/// A temporary home with the shared files, and the chain that reads them.
final class ChainScratch: Sendable {
    let home: String

    init() throws {
        home = NSTemporaryDirectory() + "mooring-chain-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: home + "/.aws", withIntermediateDirectories: true)
    }

    deinit {
        // What is left lies in the system's temporary folder.
        try? FileManager.default.removeItem(atPath: home)
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        let path = home + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// The words that run a script. It is never run by its own name: a process that another thread
    /// starts meanwhile may still hold it open for writing, and then nobody can.
    func program(_ name: String, _ script: String) throws -> String {
        "/bin/sh '" + (try write(name, script + "\n")) + "'"
    }

    /// The chain for the home and these variables; the instance's service is switched off unless a
    /// variable says otherwise.
    func chain(
        profile: String? = nil, _ variables: [String: String] = [:],
        addresses: EndpointAddresses = EndpointAddresses(), clock: TestClock = TestClock()
    ) -> CredentialChain {
        var environment = [
            "HOME": home, "AWS_EC2_METADATA_DISABLED": "true", "PATH": "/usr/bin:/bin",
        ]
        environment.merge(variables) { $1 }
        return CredentialChain(
            profile: profile, environment: environment, addresses: addresses,
            clock: { clock.now })
    }

    /// The id of the credentials that the chain gives, with their token.
    func found(profile: String? = nil, _ variables: [String: String] = [:]) async throws -> String {
        let credentials = try await chain(profile: profile, variables).credentials()
        return credentials.accessKeyID + (credentials.sessionToken.map { "+\($0)" } ?? "")
    }

    /// What the chain says when it gives nothing.
    func refusal(
        profile: String? = nil, _ variables: [String: String] = [:]
    ) async -> String {
        do {
            return "found \(try await chain(profile: profile, variables).credentials())"
        } catch {
            return "\(error)"
        }
    }
}

/// A clock that a test sets.
final class TestClock: Sendable {
    private let time: Mutex<Instant>

    init(_ start: Instant = Instant(seconds: 1_800_000_000)) { time = Mutex(start) }

    var now: Instant { time.withLock { $0 } }

    func advance(_ duration: Duration) { time.withLock { $0 = $0 + duration } }
}
