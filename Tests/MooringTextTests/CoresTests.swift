import Testing

import MooringText

@Suite("Work that is split over all cores")
struct CoresTests {
    @Test("covers everything once and in order", arguments: [0, 1, 7, 8, 9, 1_000, 1_001])
    func covers(count: Int) {
        let parts = Cores.map(count, least: 4) { Array($0) }
        #expect(parts.flatMap(\.self) == Array(0..<count))
    }

    @Test("gives no part fewer things than it is worth")
    func least() {
        for count in 0..<200 {
            let parts = Cores.map(count, least: 20) { $0.count }
            #expect(parts.count == 1 || parts.allSatisfy { $0 >= 20 }, "\(count): \(parts)")
        }
    }
}
