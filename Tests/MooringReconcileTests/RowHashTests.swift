import MooringModel
import Testing

@testable import MooringReconcile

@Suite("The token of a row")
struct RowHashTests {
    private func hash(_ row: [String: FieldValue]) -> String { RowToken.hash(of: row) }

    @Test("is the same whatever nobody holds")
    func missing() {
        let row: [String: FieldValue] = ["id": .text([49]), "n": .integer(1)]
        for value in [FieldValue.null, .absent] {
            #expect(hash(row.merging(["x": value]) { $1 }) == hash(row))
        }
    }

    @Test("is another one for every other row")
    func others() {
        let rows: [[String: FieldValue]] = [
            [:], ["a": .text([])], ["a": .blob([])], ["b": .text([])], ["a": .text([49])],
            ["a": .integer(1)], ["a": .blob([49])], ["a": .json([49])], ["a": .attribute([49])],
            ["a": .real(0)], ["a": .real(-0.0)], ["a": .integer(0)], ["a": .real(.infinity)],
            ["a": .text([49]), "b": .text([50])], ["a": .text([50]), "b": .text([49])],
            ["a": .text([49]), "c": .text([50])], ["a": .text([49, 98, 0, 50])],
            ["ab": .text([])], ["a": .text([98])],
        ]
        #expect(Set(rows.map(hash)).count == rows.count)
    }
}
