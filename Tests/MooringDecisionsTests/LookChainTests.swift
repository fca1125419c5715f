import MooringDecisions
import MooringModel
import SeededNumbers
import Testing

/// The looks before a sweep, against chains of old copies that are played through.
@Suite("Looks and chains of copies")
struct LookChainTests {
    private func facts(_ looks: [Instant], scan: Instant) -> SweepRule.Facts {
        var kept = CleanLooks()
        for look in looks { kept.add(CleanLook(at: look)) }
        return SweepRule.Facts(
            quarantinedAt: looks[0], isReferenced: false, cleanRuns: looks.count,
            firstCleanAt: looks[0], looks: kept, scan: CleanLook(at: scan), owners: [])
    }

    private func sweeps(
        _ looks: [Instant], at scan: Instant, _ race: RaceModel, chain: Int = 3
    ) -> Bool {
        SweepRule.need(
            facts(looks, scan: scan), retention: .zero, race: race, now: scan, chain: chain) == nil
    }

    /// Whether so many copies, one read from the other, can outlast all looks and the scan with no
    /// reference standing at any of them: every moment is tried for each read and write.
    private func canPass(_ looks: [Int], scan: Int, copies: Int, stale: Int) -> Bool {
        // The moments at which the newest copy may have been read, before any look saw a thing.
        var read = Set(-stale...looks[0])
        for copy in 1...copies {
            var written: Set<Int> = []
            for moment in read {
                for write in moment...(moment + stale) where write > looks[0] {
                    written.insert(write)
                }
            }
            if written.contains(where: { $0 > scan }) { return true }
            guard copy < copies else { return false }
            read = []
            for write in written where !looks.contains(write) && write != scan {
                // The reference has to be gone again at the next look.
                let next = (looks + [scan]).first { $0 > write } ?? scan
                read.formUnion(write..<next)
            }
        }
        return false
    }

    @Test("a chain that the looks are spread for never passes; one more may", arguments: 1...3)
    func bruteForce(chain: Int) {
        var random = SeededGenerator("LookChainTests/bruteForce")
        var (swept, passed) = (0, 0)
        for _ in 0..<3_000 {
            let stale = random.number(1...4)
            let race = RaceModel(
                bounds: RaceBounds(
                    uploadWindow: .zero, staleWindow: .seconds(stale), clockBound: .seconds(5)))
            var looks = [0]
            for _ in 0..<random.number(1...9) {
                looks.append(looks[looks.count - 1] + random.number(1...6))
            }
            let scan = looks[looks.count - 1] + random.number(1...6)
            let moments = looks.map { now + .seconds($0) }
            guard sweeps(moments, at: now + .seconds(scan), race, chain: chain) else { continue }
            swept += 1
            #expect(!canPass(looks, scan: scan, copies: chain, stale: stale))
            if canPass(looks, scan: scan, copies: chain + 1, stale: stale) { passed += 1 }
        }
        #expect(swept > 20 && passed > 0, "swept \(swept), passed \(passed)")
    }

    /// On which day after the first look a sweep goes through, with a run every so many hours.
    private func day(every hours: Int64, minutesApart: Int64 = 0) -> Int64? {
        let race = RaceModel(bounds: RaceBounds(), clock: .minutes(1))
        var looks = [now]
        for run in 1...2_000 {
            // Schedules wander by some minutes to and fro.
            let drift = run % 2 == 0 ? Duration.zero : .minutes(minutesApart)
            let moment = now + .hours(Int64(run) * hours) + drift
            if sweeps(looks, at: moment, race) { return (Int64(run) * hours + 12) / 24 }
            looks.append(moment)
        }
        return nil
    }

    @Test(
        "under standard bounds every operator gets to the sweep: by the hour, night, week, month",
        arguments: [(1, 9), (24, 12), (24 * 7, 28), (24 * 30, 90)])
    func operators(hours: Int64, days: Int64) {
        #expect(day(every: hours) == days)
        #expect(day(every: hours, minutesApart: 20) == days)
    }

    @Test("a pause delays a sweep and never blocks it: any look may be the beginning")
    func pause() {
        let race = Sample.standard
        var looks = (0..<5).map { now + .days($0) }
        let after = now + .days(200)
        looks.append(after)
        for day in 1...11 {
            #expect(!sweeps(looks, at: after + .days(Int64(day)), race), "\(day)")
            looks.append(after + .days(Int64(day)))
        }
        #expect(sweeps(looks, at: after + .days(12), race))
    }

    @Test("the bound itself is not enough, a nanosecond more is")
    func bound() {
        let race = RaceModel(bounds: RaceBounds(), clock: .minutes(2))
        let gap = Duration.days(1)
        let looks = (0..<40).map { now - Duration.hours(12) * $0 }.reversed() as [Instant]
        let needed = (race.staleWindow + race.clock) * 3 + gap * 2 + race.uploadWindow
        let spread = [now - needed] + looks.filter { $0 > now - needed + .hours(10) }
        var facts = facts(spread, scan: now)
        facts.looks =
            CleanLooks(
                beginnings: [CleanLooks.Beginning(at: now - needed, gap: gap)],
                lastFrom: now - .hours(1)) ?? CleanLooks()
        #expect(SweepRule.need(facts, retention: .zero, race: race, now: now) != nil)
        facts.scan = CleanLook(at: now + .nanoseconds(1))
        #expect(
            SweepRule.need(
                facts, retention: .zero, race: race, now: now + .nanoseconds(1)) == nil)
    }

    @Test("a reference that stood while a long look was under way counts for the gap")
    func longLooks() {
        let race = Sample.standard
        func isReady(lasting length: Duration) -> Bool {
            var kept = CleanLooks()
            for day in 0..<12 {
                let from = now + .days(Int64(day))
                kept.add(CleanLook(from: from, until: from + length))
            }
            let scan = CleanLook(from: now + .days(12), until: now + .days(12) + length)
            var facts = facts([now], scan: now + .days(12))
            (facts.looks, facts.scan, facts.cleanRuns) = (kept, scan, 12)
            return SweepRule.need(facts, retention: .zero, race: race, now: scan.from) == nil
        }
        #expect(isReady(lasting: .hours(1)))
        #expect(!isReady(lasting: .hours(9)))
    }
}

private func * (duration: Duration, count: Int) -> Duration {
    (0..<count).reduce(.zero) { sum, _ in sum + duration }
}
