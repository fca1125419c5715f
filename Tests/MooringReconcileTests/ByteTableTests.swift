import Testing

@testable import MooringReconcile

@Suite("Numbers for byte strings")
struct ByteTableTests {
    @Test("equal bytes have one number, and other bytes another, through every growth")
    func numbers() {
        var table = ByteTable()
        for index in 0..<5_000 {
            #expect(table.insert(Array("key-\(index)".utf8)) == index)
        }
        for index in 0..<5_000 {
            #expect(table.insert(Array("key-\(index)".utf8)) == index)
            #expect(table.bytes(index).elementsEqual("key-\(index)".utf8))
        }
        #expect(table.number(of: Array("key-5000".utf8)) == nil)
        #expect(table.insert([]) == 5_000)
    }

    @Test("the end of a string has a number of its own, and the bytes of the string")
    func ends() {
        var table = ByteTable()
        let whole = table.insert(Array("albums/7/cover.png".utf8))
        let end = table.insert(endOf: whole, count: 9)
        #expect(end == 1 && table.insert(endOf: whole, count: 9) == end)
        #expect(table.insert(Array("cover.png".utf8)) == end)
        #expect(table.insert(endOf: end, count: 4) == 2)
        #expect(table.insert(endOf: whole, count: 18) == whole)
        #expect(table.insert(Array("next".utf8)) == 3)
        table.trim()
        let texts = ["albums/7/cover.png", "cover.png", ".png", "next"]
        #expect(table.all.map { String(decoding: $0, as: UTF8.self) } == texts)
        #expect(texts.map { table.number(of: Array($0.utf8)) } == [0, 1, 2, 3])
        let count = table.withTexts { bytes in (0..<4).map { bytes[$0].count } }
        #expect(count == texts.map(\.utf8.count))
    }
}
