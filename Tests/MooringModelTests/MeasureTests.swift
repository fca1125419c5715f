import MooringModel
import Testing

@Suite("Numbers with their unit")
struct MeasureTests {
    @Test(
        "shares are printed without needless digits, and never as zero when they are not",
        arguments: [
            (0.0, "0%"), (0.012, "1.2%"), (0.01, "1%"), (1.0, "100%"), (0.123456, "12.35%"),
            (0.00001, "under 0.01%"), (0.0005, "0.05%"), (0.9999, "99.99%"),
            (.infinity, "over 100%"),
        ])
    func shares(share: Double, wanted: String) {
        #expect(Measure.share(share) == wanted)
    }

    @Test(
        "bytes are printed in the unit that fits after rounding",
        arguments: [
            (Int64(0), "0 B"), (17, "17 B"), (1_023, "1023 B"), (1_024, "1 KiB"),
            (1_572_864, "1.5 MiB"), (1_048_575, "1 MiB"), (100 << 30, "100 GiB"),
            (.max, "8 EiB"), (-3, "-3 B"),
        ])
    func bytes(count: Int64, wanted: String) {
        #expect(Measure.bytes(count) == wanted)
    }

    @Test("a count has its noun in the right number")
    func counts() {
        #expect(Measure.count(1, "step") == "1 step")
        #expect(Measure.count(0, "step") == "0 steps")
    }
}
