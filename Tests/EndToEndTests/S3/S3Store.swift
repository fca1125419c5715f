import Foundation
import TestServers
import Testing

/// A bucket of a real server, of each sort that Mooring has to tell apart.
enum S3Store: String, CaseIterable, CustomTestStringConvertible {
    /// Conditions are honoured.
    case ministack
    /// Versions are on, and conditions are honoured.
    case ministackVersioned
    /// Conditions on DELETE are ignored.
    case ceph
    /// Versions are on; conditions on DELETE are ignored.
    case cephVersioned
    /// As `ceph`, over TLS with a certificate of its own.
    case cephSecure
    /// As `cephVersioned`, and all but four requests at a time are answered 503.
    case cephThrottled
    /// No condition is honoured, and sub-resources are taken for the object.
    case rclone

    /// Those that this run of the tests may use.
    static let all = allCases.filter { $0.kind == .ministack || isIntegration }

    /// Those of them with versions.
    static let versioned = all.filter(\.isVersioned)

    /// Whether `make integration` runs.
    static let isIntegration =
        ProcessInfo.processInfo.environment["MOORING_INTEGRATION"] == "1"

    var kind: ServerKind {
        switch self {
        case .ministack, .ministackVersioned: .ministack
        case .rclone: .rclone
        default: .ceph
        }
    }

    var isVersioned: Bool {
        [.ministackVersioned, .cephVersioned, .cephThrottled].contains(self)
    }

    /// Whether an object can go that may be written again at its key: under versions, or where a
    /// DELETE minds its condition.
    var isGuarded: Bool { isVersioned || self == .ministack }

    func server() async throws -> S3TestServer {
        switch self {
        case .cephSecure: try await .cephSecure()
        case .cephThrottled: try await .cephThrottled()
        default: try await .start(kind)
        }
    }

    var testDescription: String { rawValue }
}
