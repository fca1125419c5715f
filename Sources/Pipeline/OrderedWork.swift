/// Works on several items at once, up to a width, and tells the results in the items' order.
struct OrderedWork {
    /// How many items are worked on at once, at least 1.
    let width: Int
    /// Is asked before each item whether to stop; what was begun is finished.
    let interruption: Interruption

    /// Works on the items from the first on, until one of them but the first `pauses`; gives how
    /// many were begun, all of which have ended.
    ///
    /// The first error is thrown once everything that was begun has ended; what was finished is
    /// told all the same.
    @discardableResult
    @inline(never)  // Swift 6.3.1's optimiser and asynchronous loops.
    func run<Item: Sendable, Output: Sendable>(
        _ items: [Item], pauses: (Item) -> Bool = { _ in false },
        _ work: @escaping @Sendable (Item) async throws -> Output,
        tell: (Output) throws -> Void
    ) async throws -> Int {
        var ended: [Int: Result<Output, any Error>] = [:]
        var (begun, told) = (0, 0)
        var failure: (any Error)?
        func take(_ place: Int, _ result: Result<Output, any Error>) {
            ended[place] = result
            while let next = ended.removeValue(forKey: told) {
                told += 1
                do {
                    try tell(try next.get())
                } catch {
                    failure = failure ?? error
                }
            }
        }
        func mayBegin() -> Bool {
            begun < items.count && failure == nil && !interruption.isInterrupted
                && (begun == 0 || !pauses(items[begun]))
        }
        await withTaskGroup(of: (Int, Result<Output, any Error>).self) { group in
            var running = 0
            while true {
                while running < max(width, 1), mayBegin() {
                    let (place, item) = (begun, items[begun])
                    group.addTask { (place, await Self.result(of: item, work)) }
                    begun += 1
                    running += 1
                }
                guard let (place, result) = await group.next() else { return }
                running -= 1
                take(place, result)
            }
        }
        if let failure { throw failure }
        if begun < items.count { try interruption.check() }
        return begun
    }

    private static func result<Item, Output>(
        of item: Item, _ work: @Sendable (Item) async throws -> Output
    ) async -> Result<Output, any Error> {
        do {
            return .success(try await work(item))
        } catch {
            return .failure(error)
        }
    }
}
