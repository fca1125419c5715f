import MooringModel
import SeededNumbers
import Testing

/// Layouts of values, by string handling that shares no code with the program's.
struct NaiveLayout {
    /// The layout as the configuration writes it.
    let text: String
    /// The fewest bytes that a value has.
    let shortest: Int
    /// What a value becomes.
    let lay: @Sendable ([UInt8]) -> [UInt8]

    /// The values of a field are keys by themselves.
    static let plain = NaiveLayout(text: "{key}", shortest: 1) { $0 }
    private static let slash = Array("/".utf8)

    /// Layouts that spread, put before, put behind and turn round.
    static let all: [NaiveLayout] = [
        plain,
        NaiveLayout(text: "{key:0:2}/{key:2:2}/{key}", shortest: 4) { value in
            Array(value.prefix(2)) + slash + Array(value.dropFirst(2).prefix(2)) + slash + value
        },
        NaiveLayout(text: "{key:0:1}/{key}", shortest: 1) { Array($0.prefix(1)) + slash + $0 },
        NaiveLayout(text: "v1/{key}", shortest: 1) { Array("v1/".utf8) + $0 },
        NaiveLayout(text: "{key}.jpg", shortest: 1) { $0 + Array(".jpg".utf8) },
        NaiveLayout(text: "{key}/{key}", shortest: 1) { $0 + slash + $0 },
        NaiveLayout(text: "{key:2}-{key:0:2}", shortest: 3) { value in
            Array(value.dropFirst(2)) + Array("-".utf8) + Array(value.prefix(2))
        },
    ]

    /// One of them, as a field has it.
    static func drawn(_ generator: inout SeededGenerator) -> StoredLayout {
        guard generator.number(0...2) > 0 else { return .plain }
        return layout(generator.one(of: all).text)
    }

    /// A layout of the program; a text that is refused makes the test red.
    static func layout(_ text: String) -> StoredLayout {
        do {
            return try StoredLayout(text)
        } catch {
            Issue.record("\(text) is refused: \(error)")
            return .plain
        }
    }

    /// The one that a field has.
    static func of(_ file: FileField) -> NaiveLayout {
        all.first { $0.text == file.stored.text } ?? plain
    }
}

extension FileField {
    /// The field with a layout of its values.
    func laid(_ text: String) -> FileField {
        var field = self
        field.stored = NaiveLayout.layout(text)
        return field
    }
}
