import MooringModel
import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("Places of a slab's objects")
struct SlabPlacesTests {
    @Test("parts that several cores look at leave nothing out, and keep the order")
    func parts() {
        var generator = SeededGenerator(seed: Seed.one())
        // Enough for parts of their own on any number of cores that a test runs on.
        let keys = (0..<20_000).map { number in
            Array((Bool.random(using: &generator) ? "plain/\(number)" : "other/\(number)").utf8)
        }
        var slab = ObjectSlab()
        for key in keys {
            key.withUnsafeBufferPointer {
                slab.append(
                    key: $0, etag: UnsafeBufferPointer(start: nil, count: 0), size: 1,
                    lastModified: .distantPast)
            }
        }
        let maker = FingerprintMaker()
        let places = SlabPlaces(slab, bucket: 3, maker) { $0.first == UInt8(ascii: "p") }
        let isPlain = keys.map { $0.first == UInt8(ascii: "p") }
        #expect(places.plain.map(\.number) == keys.indices.filter { isPlain[$0] })
        #expect(places.others == keys.indices.filter { !isPlain[$0] })
        for (number, place) in places.plain {
            let own = keys[number].withUnsafeBufferPointer {
                maker.make($0, tag: SlotTag.exact(3))
            }
            #expect(place.isAt(own))
        }
    }
}
