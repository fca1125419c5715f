import Dispatch
import MooringModel

/// A connection and the thread that its calls block, one after the other.
final class Session: Sendable {
    private let connection: PostgresConnection
    private let thread: DispatchQueue

    private init(_ connection: PostgresConnection, _ thread: DispatchQueue) {
        self.connection = connection
        self.thread = thread
    }

    deinit {
        // Closing speaks to the server as well.
        let connection = connection
        thread.async { withExtendedLifetime(connection) {} }
    }

    /// Connects; a cancelled task does not wait for it.
    static func open(_ address: ServerAddress) async throws -> Session {
        let thread = DispatchQueue(label: "mooring.postgres")
        let promise = Promise<Session>()
        thread.async {
            promise.give(Result { Session(try PostgresConnection(address), thread) })
        }
        return try await promise.value {}
    }

    /// Begins work on the connection; it runs after what was begun before.
    func begin<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) -> Promise<Value> {
        let promise = Promise<Value>()
        thread.async { [connection] in promise.give(Result { try work(connection) }) }
        return promise
    }

    /// Waits for work that was begun. When the task is cancelled the server is told to stop it.
    func value<Value: Sendable>(of promise: Promise<Value>) async throws -> Value {
        try await promise.value { [connection] in
            DispatchQueue.global().async { connection.cancel() }
        }
    }

    /// Tells the server to stop what is under way, and does not wait for that.
    func stop() {
        DispatchQueue.global().async { [connection] in connection.cancel() }
    }

    /// Runs work on the connection; a cancelled task stops it.
    func run<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await value(of: begin(work))
    }

    /// Runs work on the connection to its end, whatever becomes of the task.
    func finish<Value: Sendable>(
        _ work: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await begin(work).uninterrupted()
    }
}
