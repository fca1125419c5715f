import MooringDecisions
import MooringModel
import Testing

@Suite("Effective times")
struct EffectiveTimeTests {
    private let early = now - .days(9)
    private let late = now - .days(2)
    private let times = BelievableTimes(now: now, race: Sample.standard)
    private let bound = RaceBounds().clockBound

    private func birth(_ version: ObjectVersion, _ firstSight: Instant) -> Instant {
        EffectiveTime.birth(of: version, firstSight: firstSight, believing: times)
    }

    private func change(
        _ told: ChangeTime?, _ clock: ChangeClock = .server, _ firstSight: Instant = now
    ) -> Instant? {
        EffectiveTime.change(told, setBy: clock, firstSight: firstSight, believing: times)
    }

    @Test("an object is born at its LastModified, whenever it was first seen")
    func birth() {
        let version = Sample.version(born: early)
        #expect(birth(version, late) == early)
        #expect(birth(version, early - .days(1)) == early)
    }

    @Test("a multipart object is born at our first sight of this version, if that is later")
    func multipart() {
        let version = Sample.version(born: early, etag: "abc-12")
        #expect(birth(version, late) == late)
        #expect(birth(version, early - .days(1)) == early)
    }

    @Test("an object whose time cannot be believed is born at our first sight of it")
    func strangeBirth() {
        for born in [
            Instant(seconds: 0), BelievableTimes.earliest - .nanoseconds(1),
            now + bound + .nanoseconds(1), now + .days(40_000),
        ] {
            #expect(birth(Sample.version(born: born), late) == late)
        }
        for born in [BelievableTimes.earliest, now + bound] {
            #expect(birth(Sample.version(born: born), late) == born)
        }
    }

    @Test("a server's change time is believed, a device's not before our first sight of it")
    func change() {
        for (clock, expected) in [(ChangeClock.server, early), (.device, late)] {
            #expect(change(ChangeTime(early), clock, late) == expected)
            #expect(change(ChangeTime(late), clock, early) == late)
            #expect(change(nil, clock, late) == nil)
        }
    }

    @Test("a change before 2005 or ahead of every clock is not known")
    func strangeChange() {
        // What Core Data writes of a record that was changed just now.
        let sinceThe21stCentury = Instant(seconds: 1_900_000_000 - 978_307_200)
        for told in [
            sinceThe21stCentury, Instant(seconds: 0), BelievableTimes.earliest - .nanoseconds(1),
            now + bound + .nanoseconds(1),
        ] {
            #expect(change(ChangeTime(told)) == nil)
            #expect(change(ChangeTime(told), .device, late) == nil)
        }
        #expect(change(ChangeTime(BelievableTimes.earliest)) == BelievableTimes.earliest)
        #expect(change(ChangeTime(now + bound)) == now + bound)
    }

    @Test("one without a zone is 12 h younger, and up to 14 h ahead it was written now")
    func zoneless() {
        func change(_ told: Instant) -> Instant? { self.change(ChangeTime(told, isZoned: false)) }
        #expect(change(now - .days(9)) == now - .days(9) + .hours(12))
        #expect(change(now - .hours(12)) == now)
        #expect(change(now - .hours(1)) == now)
        #expect(change(now + .hours(14)) == now)
        #expect(change(now + .hours(14) + bound + .nanoseconds(1)) == nil)
        #expect(change(BelievableTimes.earliest - .hours(13)) == nil)
        let written = ChangeTime(now - .hours(5))
        #expect(ChangeTime(now - .hours(17), isZoned: false) > written)
        #expect(ChangeTime(now - .hours(18), isZoned: false) < written)
    }

    @Test("a date alone means its evening, and a time without seconds the end of its minute")
    func precision() {
        func change(_ told: Instant, _ precision: Duration, isZoned: Bool = true) -> Instant? {
            self.change(ChangeTime(told, isZoned: isZoned, precision: precision))
        }
        let early = now - .days(9)
        #expect(change(early, .hours(24)) == early + .hours(24))
        #expect(change(early, .seconds(60)) == early + .seconds(60))
        #expect(change(early, .hours(24), isZoned: false) == early + .hours(36))
        #expect(change(now - .hours(5), .hours(24)) == now)
        #expect(change(now + bound + .nanoseconds(1), .hours(24)) == nil)
    }

    @Test("an absence dates from its tombstone, else from our first sight of it")
    func absence() {
        func absence(_ told: ChangeTime?, _ clock: ChangeClock) -> Instant {
            EffectiveTime.absence(
                tombstone: told, setBy: clock, firstSight: late, believing: times)
        }
        #expect(absence(nil, .server) == late)
        #expect(absence(ChangeTime(early), .server) == early)
        #expect(absence(ChangeTime(early), .device) == late)
        #expect(absence(ChangeTime(Instant(seconds: 1)), .server) == late)
    }
}
