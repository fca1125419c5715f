import MooringDecisions
import MooringModel
import Testing

@Suite("Effective times")
struct EffectiveTimeTests {
    private let early = now - .days(9)
    private let late = now - .days(2)

    @Test("an object is born at its LastModified, whenever it was first seen")
    func birth() {
        let version = Sample.version(born: early)
        #expect(EffectiveTime.birth(of: version, firstSight: late) == early)
        #expect(EffectiveTime.birth(of: version, firstSight: early - .days(1)) == early)
    }

    @Test("a multipart object is born at our first sight of this version, if that is later")
    func multipart() {
        let version = Sample.version(born: early, etag: "abc-12")
        #expect(EffectiveTime.birth(of: version, firstSight: late) == late)
        #expect(EffectiveTime.birth(of: version, firstSight: early - .days(1)) == early)
    }

    @Test("a server's change time is believed, a device's not before our first sight of it")
    func change() {
        for (clock, expected) in [(ChangeClock.server, early), (.device, late)] {
            #expect(EffectiveTime.change(early, setBy: clock, firstSight: late) == expected)
            #expect(EffectiveTime.change(late, setBy: clock, firstSight: early) == late)
            #expect(EffectiveTime.change(nil, setBy: clock, firstSight: late) == nil)
        }
    }

    @Test("an absence dates from its tombstone, else from our first sight of it")
    func absence() {
        #expect(EffectiveTime.absence(tombstone: nil, setBy: .server, firstSight: late) == late)
        #expect(EffectiveTime.absence(tombstone: early, setBy: .server, firstSight: late) == early)
        #expect(EffectiveTime.absence(tombstone: early, setBy: .device, firstSight: late) == late)
    }
}
