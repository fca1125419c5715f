import Synchronization

/// What comes of work on another thread, waited for once. Whoever is cancelled stops waiting at
/// once, and leaves the work to end by itself.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Value, any Error>)
        case given(Result<Value, any Error>)
        case taken
    }

    private let state = Mutex(State.open)

    /// Gives the result; only the first one counts.
    func give(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .open: state = .given(result)
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .given, .taken: break
            }
            return nil
        }
        waiting?.resume(with: result)
    }

    /// Waits for the result; `stop` is called when the task is cancelled before there is one.
    func value(stop: @escaping @Sendable () -> Void) async throws -> Value {
        try await withTaskCancellationHandler {
            try await uninterrupted()
        } onCancel: {
            give(.failure(CancellationError()))
            stop()
        }
    }

    /// Waits for the result whatever becomes of the task.
    func uninterrupted() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if case .given(let result) = state {
                    state = .taken
                    return result
                }
                state = .waiting(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
