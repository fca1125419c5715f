package import MooringModel

/// Keeps credentials and gets new ones before they end, once for all who ask.
package actor RefreshedCredentials {
    /// From here on before the end new ones are fetched, while the old ones are still given out.
    package static let early = Duration.minutes(5)
    /// From here on before the end everybody waits for new ones.
    package static let late = Duration.minutes(1)
    /// The time between two attempts while the old ones are good.
    static let pause = Duration.seconds(10)

    private let clock: @Sendable () -> Instant
    private let early: Duration
    private let late: Duration
    private let fetch: @Sendable () async throws -> Credentials
    private var current: Credentials?
    private var refresh: Task<Credentials, any Error>?
    private var lastAttempt = Instant.distantPast

    /// Credentials that `fetch` gives; those that live for minutes only are fetched less `early`
    /// before their end.
    package init(
        clock: @escaping @Sendable () -> Instant, early: Duration = RefreshedCredentials.early,
        late: Duration = RefreshedCredentials.late,
        fetch: @escaping @Sendable () async throws -> Credentials
    ) {
        self.clock = clock
        self.early = early
        self.late = late
        self.fetch = fetch
    }

    /// Credentials that have not ended. Waits for a refresh only in the last minute; when it fails,
    /// the old ones are used to their end, and then its error is thrown.
    package func credentials() async throws -> Credentials {
        let now = clock()
        guard let current else { return try await refreshing().value }
        guard let end = current.expiresAt, end < now + early else { return current }
        if end > now, lastAttempt + Self.pause > now, refresh == nil { return current }
        if end > now + late {
            _ = refreshing()
            return current
        }
        do {
            return try await refreshing().value
        } catch {
            guard end > clock() else { throw error }
            return current
        }
    }

    /// Lets go of credentials that a service refused, unless others have taken their place.
    package func forget(_ refused: Credentials) {
        guard let current, current.accessKeyID == refused.accessKeyID,
            current.sessionToken.map({ Array($0.utf8) })
                == refused.sessionToken.map({ Array($0.utf8) })
        else { return }
        self.current = nil
    }

    // The attempt under way, or a new one.
    private func refreshing() -> Task<Credentials, any Error> {
        if let refresh { return refresh }
        lastAttempt = clock()
        let task = Task {
            defer { refresh = nil }
            let fresh = try await fetch()
            current = fresh
            return fresh
        }
        refresh = task
        return task
    }
}
