package import MooringModel

/// An inventory that nobody reads: its rows stand in files of columns, which are not read here, and
/// somebody else who does cannot.
package struct UnreadInventory: CopyBucket {
    /// The bucket's name in the configuration.
    package let name: String
    /// The manifest.
    package let path: String
    /// How the configuration spells the kind.
    package let kind = "inventory"
    /// How an error calls it.
    package let noun = "an inventory"
    private let reason: String

    /// An inventory by the path of its manifest, and why Spark does not read it.
    package init(name: String, manifest path: String, reason: String) {
        (self.name, self.path, self.reason) = (name, path, reason)
    }

    /// Lists nothing, which is a problem.
    package func listBatches(
        _ receive: (ObjectBatch) async throws -> Void
    ) async throws -> ScanResult {
        var problems = ProblemList()
        problems.add(
            ScanProblem(
                place: path,
                reason: "is in files of columns, which Spark alone reads, and it does not: "
                    + reason))
        return CopyFile(path: path, taken: nil).unopened(problems)
    }
}
