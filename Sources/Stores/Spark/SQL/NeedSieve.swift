/// A view of which numbers stand for some need, by one bit for many of them. It takes some 64 MB
/// wherever rows are, and tells most rows that no need speaks of, where the needs themselves are
/// too many to go there.
struct NeedSieve {
    /// The view's name.
    let name: String

    // Of a number so many bits tell its place, the lowest six of them in a word.
    private static let bits = 26
    private static let mask = (1 << bits) - 1

    private func word(_ number: String) -> String { "shiftright(\(number) & \(Self.mask), 6)" }

    private func bit(_ number: String) -> String {
        "shiftleft(1L, CAST(\(number) & 63 AS INT))"
    }

    /// Makes the view of the numbers that a statement selects as `need`.
    func made(of numbers: String) -> String {
        """
        CREATE OR REPLACE TEMPORARY VIEW \(name) AS
        SELECT word, bit_or(bit) AS bits FROM (
          SELECT \(word("need")) AS word, \(bit("need")) AS bit FROM (\(numbers))
        ) GROUP BY word
        """
    }

    /// Joined with rows, leaves those of which a number may stand for some need; the view goes by
    /// another name there, which a hint has to send around.
    func join(_ alias: String, _ number: String) -> String {
        "LEFT SEMI JOIN \(name) \(alias) ON \(word(number)) = \(alias).word "
            + "AND (\(alias).bits & \(bit(number))) <> 0L"
    }
}
