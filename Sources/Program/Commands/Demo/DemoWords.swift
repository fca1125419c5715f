/// Titles and sentences of the made-up app.
enum DemoWords {
    private static let adjectives = [
        "Quiet", "Golden", "Distant", "Electric", "Slow", "Paper", "Northern", "Broken", "Blue",
        "Late",
    ]
    private static let nouns = [
        "Harbour", "Summer", "Lighthouse", "Rain", "Morning", "Garden", "Train", "Tide", "Letters",
        "Window",
    ]
    private static let sentences = [
        "We played the new songs for the first time tonight.",
        "The boats were late and the light was perfect.",
        "Pictures from the second day, in no order at all.",
        "Thanks to everyone who came out in the rain.",
        "A short note about how the record was made.",
    ]

    /// A title of two words.
    static func title(_ seed: inout DemoSeed) -> String {
        "\(seed.element(of: adjectives)) \(seed.element(of: nouns))"
    }

    /// A text of two to four sentences, one a line.
    static func text(_ seed: inout DemoSeed) -> String {
        (0..<seed.number(in: 2...4)).map { _ in seed.element(of: sentences) + "\n" }.joined()
    }
}
