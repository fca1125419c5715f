package import MooringModel

/// What a scan delivered, and its result.
package struct Scanned<Item> {
    /// Everything, in the order of delivery.
    package var items: [Item] = []
    /// How many of them each batch had.
    package var batchSizes: [Int] = []
    /// What the scan says of itself.
    package var result: ScanResult

    /// The problems that were met.
    package var problems: [ScanProblem] { result.problems }
}

extension Bucket {
    /// All objects of a listing.
    package func listed() async throws -> Scanned<ListedObject> {
        var items: [ListedObject] = []
        var sizes: [Int] = []
        let result = try await list {
            items += $0
            sizes.append($0.count)
        }
        return Scanned(items: items, batchSizes: sizes, result: result)
    }

    /// All objects in quarantine.
    package func listedQuarantine() async throws -> Scanned<QuarantinedObject> {
        var items: [QuarantinedObject] = []
        let result = try await listQuarantine { items += $0 }
        return Scanned(items: items, result: result)
    }

    /// The version at a key; throws when nothing is there.
    package func version(_ key: ObjectKey) async throws -> ObjectVersion {
        guard case .present(let version) = await head(key) else {
            throw StoreError(place: key.text, reason: "is not there")
        }
        return version
    }
}

extension HeadAnswer {
    /// The doubt; nil when the answer is certain.
    package var doubt: String? {
        if case .unknown(let reason) = self { reason } else { nil }
    }
}

extension MoveOutcome {
    /// Why nothing was done; nil when it was.
    package var staleness: String? {
        if case .stale(let reason) = self { reason } else { nil }
    }
}

/// A run's name for tests.
package func run(_ second: Int64) -> RunID {
    RunID(startingAt: Instant(seconds: 1_790_000_000 + second))
}
