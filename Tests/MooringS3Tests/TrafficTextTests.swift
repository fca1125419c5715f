import MooringAWS
import MooringS3
import Testing

@Suite("What was sent, in words")
struct TrafficTextTests {
    @Test("calls by their number, and a price only of what has one")
    func words() {
        #expect(TrafficText.words(RequestTraffic(), prices: .usEast) == nil)
        var traffic = RequestTraffic(allowed: 16)
        for _ in 0..<2_000 { traffic.countSending("ListObjectsV2", method: "GET") }
        for _ in 0..<3 { traffic.countSending("HeadObject", method: "HEAD") }
        traffic.countSending("HeadObject", method: "HEAD", isRepetition: true)
        #expect(
            TrafficText.words(traffic, prices: nil)
                == "2004 requests (2000 ListObjectsV2, 4 HeadObject), 1 of them again")
        let priced = TrafficText.words(traffic, prices: .usEast)
        #expect(priced?.contains("about 0.010002 USD at the list prices of") == true)
    }

    @Test("how long it took, and how many were under way")
    func busy() {
        var traffic = RequestTraffic(allowed: 16)
        traffic.countSending("HeadObject", method: "HEAD")
        traffic.countSending("HeadObject", method: "HEAD")
        #expect(TrafficText.words(traffic, prices: nil) == "2 requests (2 HeadObject)")
        let start = ContinuousClock.now
        traffic.countTime(from: start + .seconds(1), to: start + .seconds(31))
        traffic.countTime(from: start, to: start + .seconds(20))
        #expect(
            TrafficText.words(traffic, prices: nil)
                == "2 requests (2 HeadObject), in 31.0 s, 1.6 at a time on average of 16 allowed")
    }
}
