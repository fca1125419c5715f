/// Connections that wait for the next look or write, so that each need not connect anew.
actor SessionPool {
    private let address: ServerAddress
    private var idle: [(session: Session, since: ContinuousClock.Instant)] = []

    // Acts on different keys look at their owners side by side.
    private static let most = 8
    // A server, or what stands before it, may drop a connection on which nothing happens.
    private static let longestRest = Duration.seconds(30)

    /// A pool without connections.
    init(_ address: ServerAddress) {
        self.address = address
    }

    /// A connection for one use, and whether it was used before.
    func take() async throws -> (session: Session, isUsed: Bool) {
        let now = ContinuousClock.now
        idle.removeAll { now - $0.since > Self.longestRest }
        if let rested = idle.popLast() { return (rested.session, true) }
        return (try await Session.open(address), false)
    }

    /// Takes a connection back that has no transaction open.
    func giveBack(_ session: Session) {
        guard idle.count < Self.most else { return }
        idle.append((session, .now))
    }

    /// Closes every connection that waits.
    func clear() { idle = [] }
}
