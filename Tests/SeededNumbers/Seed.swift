import Foundation

/// Where the seeds of property tests come from: from `MOORING_SEED`, which repeats a failure; in CI
/// from the commit, so that one commit always tests the same; and from chance elsewhere.
package enum Seed {
    private static let environment = ProcessInfo.processInfo.environment

    /// A test's seed. It is printed first, so that nothing that follows can hide it.
    package static func one(_ test: String = #function) -> UInt64 {
        let seed = given ?? ofCommit(test) ?? UInt64.random(in: 0...UInt64.max)
        print("\(test): MOORING_SEED=\(seed)")
        return seed
    }

    /// So many seeds of a test, small enough to be typed; the one that is given, where one is.
    package static func several(_ count: Int, _ test: String = #function) -> [UInt64] {
        if let given { return [given] }
        var generator = SeededGenerator(seed: one(test))
        return (0..<count).map { _ in UInt64.random(in: 1...1_000_000, using: &generator) }
    }

    private static var given: UInt64? { environment["MOORING_SEED"].flatMap { UInt64($0) } }

    // FNV-1a over the commit and the test: close names are to give far seeds.
    private static func ofCommit(_ test: String) -> UInt64? {
        guard let commit = environment["MOORING_COMMIT"], !commit.isEmpty else { return nil }
        return (commit + " " + test).utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
    }
}
