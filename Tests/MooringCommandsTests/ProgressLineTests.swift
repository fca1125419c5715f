import MooringPipeline
import Testing

@testable import MooringCommands

@Suite("The line that tells how far a stage is")
struct ProgressLineTests {
    @Test("it names the phase, the share, the rate and what is left")
    func whole() {
        let line = ProgressLine(
            stage: "listing media", phase: .objects, count: 1_234_567, expected: 2_000_000)
        #expect(
            line.text(after: .seconds(3))
                == "3/7 listing media: 1,234,567 of about 2,000,000 (61 %), 411,522/s, 2s left")
    }

    @Test("where nobody knows how many there are, it tells the time that was taken")
    func unknown() {
        let line = ProgressLine(stage: "looking at lists", phase: .confirm, count: 42)
        #expect(line.text(after: .seconds(84)) == "5/7 looking at lists: 42, 1/s, 1m24s")
        let begun = ProgressLine(stage: "seeds")
        #expect(begun.text(after: .seconds(7_260)) == "seeds: 0, 2h1m")
    }

    @Test("more than was expected says no share, and nothing about what is left")
    func more() {
        let line = ProgressLine(stage: "listing", phase: nil, count: 30, expected: 20)
        #expect(line.text(after: .seconds(3)) == "listing: 30, 10/s, 3s")
    }

    @Test("a long name gives way, and the line keeps to 79 columns")
    func long() {
        let line = ProgressLine(
            stage: "reading records of " + String(repeating: "name", count: 30), phase: .records,
            count: 9_999_999, expected: 123_456_789)
        let text = line.text(after: .seconds(12))
        #expect(text.count <= 79)
        #expect(text.hasPrefix("2/7 reading rec...: ") && text.hasSuffix(" left"))
        #expect(text.contains("...: 9,999,999 of about 123,456,789 (8 %)"))
    }
}
