/// Lists of numbers one behind the other in one buffer: there may be as many as there are
/// candidates, and each holds few.
struct NumberLists: Sendable {
    private var numbers: [Int32] = []
    private var ends: [Int32] = []

    /// Appends a list.
    mutating func append(_ list: some Sequence<Int>) {
        for number in list { numbers.append(Int32(number)) }
        ends.append(Int32(numbers.count))
    }

    /// The numbers of a list, in their order.
    subscript(list: Int) -> some RandomAccessCollection<Int> {
        let start = list == 0 ? 0 : Int(ends[list - 1])
        return numbers[start..<Int(ends[list])].lazy.map { Int($0) }
    }
}
