import MooringConfiguration
import Synchronization

/// Reads several stores at once, and hands what they tell to one receiver, a piece at a time.
///
/// A store waits until the receiver has had its piece, so that one of each is held at most. Those
/// of one store stay in their order; those of several come as they come.
enum SideBySide {
    // More at once would only wait for the receiver.
    private static let most = 8

    /// Parts a row of stores, by where they answer, into groups to be read at once: neighbours of
    /// which no two answer at one address.
    static func groups(_ addresses: [StoreAddress]) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        for place in addresses.indices {
            if let last = groups.last, last.count < most,
                !addresses[last].contains(addresses[place])
            {
                groups[groups.count - 1] = last.lowerBound..<place + 1
            } else {
                groups.append(place..<place + 1)
            }
        }
        return groups
    }

    /// Reads the stores of a group by their numbers, and gives what each ended with, in their
    /// order. An error of one, or of the receiver, ends the others, and is thrown once all have.
    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    static func run<Piece: Sendable, Output: Sendable>(
        _ group: Range<Int>,
        _ read: @escaping @Sendable (Int, (Piece) async throws -> Void) async throws -> Output,
        receive: (Int, Piece) throws -> Void
    ) async throws -> [Output] {
        if group.count == 1 {
            let only = group.lowerBound
            return [try await read(only) { try receive(only, $0) }]
        }
        let (handed, hands) = AsyncStream<Handed<Piece>>.makeStream()
        let state = State(running: group.count)
        let outputs = await withTaskGroup(of: (Int, Output?).self) { tasks in
            for number in group {
                tasks.addTask {
                    defer { if state.isLastToEnd() { hands.finish() } }
                    do {
                        return (number, try await read(number) { try await hands.hand($0, number) })
                    } catch {
                        state.fail(error)
                        hands.finish()
                        return (number, nil)
                    }
                }
            }
            for await one in handed {
                let result = Result {
                    if let error = state.failure { throw error }
                    try receive(one.number, one.piece)
                }
                if case .failure(let error) = result { state.fail(error) }
                one.waiting.resume(with: result)
            }
            if state.failure != nil { tasks.cancelAll() }
            return await tasks.reduce(into: [Int: Output]()) { $0[$1.0] = $1.1 }
        }
        if let error = state.failure { throw error }
        return group.compactMap { outputs[$0] }
    }

    // How many stores are still read, and the first error.
    private final class State: Sendable {
        private let running: Atomic<Int>
        private let first = Mutex<(any Error)?>(nil)

        init(running: Int) { self.running = Atomic(running) }

        var failure: (any Error)? { first.withLock { $0 } }

        func fail(_ error: any Error) { first.withLock { $0 = $0 ?? error } }

        func isLastToEnd() -> Bool { running.subtract(1, ordering: .relaxed).newValue == 0 }
    }

    // A piece of a store, which waits for it to be received.
    fileprivate struct Handed<Piece: Sendable>: Sendable {
        let number: Int
        let piece: Piece
        let waiting: CheckedContinuation<Void, any Error>
    }
}

extension AsyncStream.Continuation {
    /// Hands a piece of a store over, and waits until it was received.
    fileprivate func hand<Piece>(
        _ piece: Piece, _ number: Int
    ) async throws where Element == SideBySide.Handed<Piece> {
        try await withCheckedThrowingContinuation { waiting in
            let handed = SideBySide.Handed(number: number, piece: piece, waiting: waiting)
            // Nobody receives any more where the receiver's own task was cancelled.
            if case .enqueued = yield(handed) { return }
            waiting.resume(throwing: CancellationError())
        }
    }
}
