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
}
