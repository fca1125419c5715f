import Testing

@testable import MooringReconcile

@Suite("Eight bytes by which needles are looked up")
struct NeedleWindowsTests {
    private func windows(_ texts: [String]) -> [String: String] {
        let places = NeedleWindows(texts.map { Array($0.utf8)[...] }).places
        return Dictionary(
            uniqueKeysWithValues: places.map { text, place in
                let window = text.dropFirst(place).prefix(8)
                return (
                    String(decoding: text, as: UTF8.self), String(decoding: window, as: UTF8.self)
                )
            })
    }

    @Test func theyBeginWithOneByteWhereThatWillDo() {
        let names = (10..<60).map { "covers/2024-\($0)\($0 * 7919)-front.jpg" }
        let found = windows(names)
        #expect(found.count == names.count)
        #expect(Set(found.values.map(\.first)).count == 1)
        #expect(found.values.allSatisfy { $0.count == 8 })
    }

    @Test func fewOthersHoldThem() {
        let found = windows((100..<200).map { "private/albums/\($0).jpg" })
        for (name, window) in found {
            #expect(window.contains(name.dropFirst(15).prefix(3)))
        }
    }

    @Test func ofTextsThatShareNoByteEachHasItsOwn() {
        #expect(
            windows(["aaaaaaaa", "bbbbbbbb"]) == ["aaaaaaaa": "aaaaaaaa", "bbbbbbbb": "bbbbbbbb"])
    }

    @Test func shortTextsHaveNone() {
        #expect(windows(["seven77"]).isEmpty)
    }
}
