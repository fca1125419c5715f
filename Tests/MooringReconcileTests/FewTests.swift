import SeededNumbers
import Testing

@testable import MooringReconcile

@Suite("Lists of mostly one element")
struct FewTests {
    @Test("a short list is what an array of the same elements is")
    func array() {
        var generator = SeededGenerator("lists of few elements")
        for _ in 0..<300 {
            var (few, array): (Few<Int>, [Int]) = (Few(), [])
            for _ in 0..<generator.number(0...12) {
                let element = generator.number(0...5)
                few.append(element)
                array.append(element)
                #expect(Array(few) == array && few.count == array.count)
                #expect(few.isEmpty == array.isEmpty && few.last == array.last)
                #expect(Array(Few(array)) == array)
            }
        }
    }
}
