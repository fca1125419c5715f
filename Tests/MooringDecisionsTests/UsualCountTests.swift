import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

@Suite("What a count is compared with")
struct UsualCountTests {
    private let now = Instant(seconds: 1_790_000_000)

    private func count(
        _ sequence: Int64, daysAgo days: Int64, _ count: Int, refused: Bool = false,
        accepted: Bool = false
    ) -> UsualCount.Count {
        UsualCount.Count(
            sequence: sequence, at: now - .days(days), count: count, isRefused: refused,
            isAccepted: accepted, takenSince: 0)
    }

    private func older(_ count: Int, taken: Int) -> UsualCount.Count {
        UsualCount.Count(
            sequence: 1, at: now - .days(3), count: count, isRefused: false, isAccepted: false,
            takenSince: taken)
    }

    private func value(_ counts: [UsualCount.Count]) -> Int? {
        UsualCount.value(of: counts, now: now)
    }

    @Test("the largest of seven days, so that a slow drain does not move it")
    func largest() {
        #expect(value([]) == nil)
        let nights = (1...9).map { count(Int64(10 - $0), daysAgo: Int64($0), 90 + $0) }
        #expect(value(nights) == 97)
        #expect(value(nights.reversed()) == 97)
    }

    @Test("without a run of seven days the newest counts")
    func newest() {
        #expect(value([count(1, daysAgo: 40, 900), count(2, daysAgo: 20, 50)]) == 50)
    }

    @Test("a refused run does not count, and an accepted one is where it begins anew")
    func refused() {
        let before = count(1, daysAgo: 3, 100)
        #expect(value([before, count(2, daysAgo: 2, 50, refused: true)]) == 100)
        #expect(value([before, count(2, daysAgo: 2, 50, accepted: true)]) == 50)
        #expect(
            value([
                before, count(2, daysAgo: 2, 50, accepted: true), count(3, daysAgo: 1, 55),
            ]) == 55)
        #expect(value([count(1, daysAgo: 1, 50, refused: true)]) == nil)
    }

    @Test("while it is refused, the seven days end where that began")
    func refusedForWeeks() {
        let standing = (1...6).map { count(Int64($0), daysAgo: 30 - Int64($0), 410 - 10 * $0) }
        let refused = (7...29).map {
            count(Int64($0), daysAgo: 30 - Int64($0), 300, refused: true)
        }
        #expect(value(standing + refused) == 400)
        // One that stands ends the row.
        #expect(value(standing + refused + [count(30, daysAgo: 0, 380)]) == 380)
    }

    @Test("what Mooring itself took away since is no loss")
    func ownActs() {
        #expect(value([older(100, taken: 30), count(2, daysAgo: 1, 71)]) == 71)
        #expect(value([older(100, taken: -5)]) == 105)
        #expect(value([older(5, taken: 9)]) == 0)
    }

    @Test("a run whose clock was ahead removes no usual count, and is none for ever")
    func future() {
        let ahead = count(3, daysAgo: -3_650, 100)
        #expect(value([count(1, daysAgo: 2, 300), count(2, daysAgo: 1, 310), ahead]) == 310)
        // It is as old as the run behind it.
        #expect(value([ahead, count(4, daysAgo: 20, 90), count(5, daysAgo: 1, 80)]) == 80)
        #expect(value([ahead]) == 100)
    }

    @Test("no order of the clocks makes a usual count smaller than the newest count that stands")
    func anyClock() {
        var generator = SeededGenerator("no order of the clocks makes a usual count smaller")
        for _ in 0..<2_000 {
            let counts = (0..<generator.number(1...9)).map { number in
                count(
                    Int64(number), daysAgo: Int64(generator.number(-20...20)),
                    generator.number(0...99), refused: generator.number(0...3) == 0)
            }
            let standing = counts.filter { !$0.isRefused }
            guard let last = standing.last else {
                #expect(value(counts) == nil)
                continue
            }
            let found = value(counts.shuffled(using: &generator)) ?? -1
            let isRecent = last.at > now || last.at >= now - UsualCount.window
            let largest = standing.map(\.count).max() ?? 0
            #expect(found <= largest && (!isRecent || found >= last.count))
        }
    }
}
