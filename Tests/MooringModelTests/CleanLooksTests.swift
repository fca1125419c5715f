import MooringModel
import SeededNumbers
import Testing

/// The few beginnings that are kept say of every sweep what all looks would say.
@Suite("Clean looks")
struct CleanLooksTests {
    private static let start = Instant(seconds: 1_900_000_000)

    /// Every look is kept, and every one of them is taken for the beginning.
    private struct Naive {
        var looks: [CleanLook] = []

        // The earliest end of a wait for some time and so many gaps.
        func ready(waiting time: Duration, gaps: Int, for scan: CleanLook) -> Instant? {
            looks.indices.map { first in
                let all = looks[first...] + [scan]
                let longest =
                    zip(all, all.dropFirst()).map { $1.until - $0.from }.max() ?? .zero
                return (0..<gaps).reduce(looks[first].until + time) { sum, _ in sum + longest }
            }.min()
        }
    }

    private func ready(
        _ looks: CleanLooks, waiting time: Duration, gaps: Int, for scan: CleanLook
    ) -> Instant? {
        looks.seen(by: scan).map { beginning in
            (0..<gaps).reduce(beginning.at + time) { sum, _ in sum + beginning.gap }
        }.min()
    }

    @Test("what is kept decides as all looks do, for chains of up to three copies")
    func property() {
        var random = SeededGenerator("CleanLooksTests/property")
        for _ in 0..<400 {
            var (naive, looks, at) = (Naive(), CleanLooks(), Self.start)
            let pause = random.one(of: [10, 1_000, 1_000_000])
            for _ in 0..<random.number(1...60) {
                at = at + .seconds(random.number(0...pause))
                if random.number(0...9) == 0 { at = at + .seconds(20 * pause) }
                let look = CleanLook(from: at, until: at + .seconds(random.number(0...pause / 5)))
                at = look.until
                naive.looks.append(look)
                looks.add(look)
                let next = at + .seconds(random.number(0...pause))
                let scan = CleanLook(from: next, until: next + .seconds(random.number(0...3)))
                for gaps in 0...2 {
                    let time = Duration.seconds(random.number(0...pause))
                    #expect(
                        ready(looks, waiting: time, gaps: gaps, for: scan)
                            == naive.ready(waiting: time, gaps: gaps, for: scan))
                }
            }
            #expect(looks.beginnings.count <= CleanLooks.most)
        }
    }

    @Test("a month of hourly runs, each at its own minute, leaves a few beginnings")
    func compact() {
        var random = SeededGenerator("CleanLooksTests/compact")
        var looks = CleanLooks()
        for hour in 0..<720 {
            let from = Self.start + .hours(Int64(hour)) + .seconds(random.number(0...1_800))
            looks.add(CleanLook(from: from, until: from + .seconds(40)))
            #expect(looks.beginnings.count <= 16)
        }
    }

    @Test("however its gaps shrink, no more than the most are kept, and none that is not true")
    func bounded() {
        var looks = CleanLooks()
        var at = Self.start
        // Looks that take long: a gap does not halve from one to the next.
        for step in 0..<400 {
            let from = at + .seconds(400 - step)
            at = from + .seconds(40_000 - step)
            looks.add(CleanLook(from: from, until: at))
        }
        #expect(looks.beginnings.count <= CleanLooks.most)
    }

    @Test("a look that is not behind the others begins anew: a clock went wrong")
    func backwards() {
        var looks = CleanLooks()
        looks.add(CleanLook(at: Self.start + .days(10)))
        looks.add(CleanLook(at: Self.start + .days(1)))
        #expect(looks.beginnings == [CleanLooks.Beginning(at: Self.start + .days(1), gap: .zero)])
        #expect(looks.seen(by: CleanLook(at: Self.start)).isEmpty)
        // One that began behind the last, and yet ended before it.
        looks.add(CleanLook(from: Self.start + .days(2), until: Self.start + .days(9)))
        looks.add(CleanLook(from: Self.start + .days(3), until: Self.start + .days(4)))
        #expect(looks.beginnings == [CleanLooks.Beginning(at: Self.start + .days(4), gap: .zero)])
    }

    @Test("what no looks can leave is not taken up")
    func damaged() {
        let (early, late) = (
            CleanLooks.Beginning(at: Self.start, gap: .days(2)),
            CleanLooks.Beginning(at: Self.start + .days(1), gap: .days(1))
        )
        #expect(CleanLooks(beginnings: [early, late], lastFrom: Self.start) != nil)
        #expect(CleanLooks(beginnings: [late, early], lastFrom: Self.start) == nil)
        #expect(CleanLooks(beginnings: [early, early], lastFrom: Self.start) == nil)
    }
}
