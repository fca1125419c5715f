import MooringModel
import MooringText

/// What the values of one field have in common where all of them are keys: in how many folders
/// they lie, and whether their names have an ending.
package struct ValueForm: Hashable, Sendable {
    // Deeper ones are not told apart.
    private static let deepest = 3
    private static let longestEnding = 5

    private let depth: Int
    private let hasEnding: Bool

    /// How many forms there are.
    static let count = 2 * (deepest + 1)

    /// The place of this form among all of them.
    var number: Int { depth * 2 + (hasEnding ? 1 : 0) }

    /// The form of a number.
    init(number: Int) {
        (depth, hasEnding) = (number / 2, number % 2 == 1)
    }

    /// The form of a value as a record holds it, without its level and identity.
    package init(_ value: [UInt8]) {
        self = value.withUnsafeBufferPointer { Self($0) }
    }

    /// The same of a value that stands elsewhere.
    init(_ value: UnsafeBufferPointer<UInt8>) {
        let slash = UInt8(ascii: "/")
        depth = Self.depth(of: UnsafeRawBufferPointer(value))
        // The bytes behind the last full stop of the name.
        var ending = 0
        for place in value.indices.suffix(Self.longestEnding + 1).reversed() {
            let byte = value[place]
            if byte == slash { break }
            if byte == UInt8(ascii: ".") {
                hasEnding = ending > 0
                return
            }
            ending += 1
        }
        hasEnding = false
    }

    // How many slashes there are, up to the deepest that is told apart.
    private static func depth(of value: UnsafeRawBufferPointer) -> Int {
        var (depth, place) = (0, 0)
        while place + 8 <= value.count, depth < deepest {
            let word = value.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let slashes = ByteWord.places(of: UInt8(ascii: "/"), in: word)
            // Most words hold none, and older cores have no instruction that counts bits.
            if slashes != 0 { depth += slashes.nonzeroBitCount }
            place += 8
        }
        while place < value.count, depth < deepest {
            depth += value[place] == UInt8(ascii: "/") ? 1 : 0
            place += 1
        }
        return min(depth, deepest)
    }
}

/// One file field of one model, over all sources.
package struct ModelFileField: Hashable, Sendable {
    /// The model's number, over all sources.
    package let model: Int
    /// The field's number among the model's `files`.
    package let field: Int

    /// The field of these numbers.
    package init(model: Int, field: Int) {
        self.model = model
        self.field = field
    }
}

extension Reconciler {
    /// What a record holds at a place: the end of its slot tells it.
    func value(of row: ReferenceRow) -> [UInt8] { value(of: row, in: slots.bytes(Int(row.slot))) }

    /// What a record holds, by a text that ends as the slot does.
    func value(of row: ReferenceRow, in text: ArraySlice<UInt8>) -> [UInt8] {
        let end = Array(text.suffix(Int(row.valueLength)))
        // It was made by the layout, so that this is never nil.
        return field(of: row).stored.value(of: end) ?? end
    }

    /// How the field of a row is mapped.
    func field(of row: ReferenceRow) -> FileField {
        let model = Int(records[Int(row.record)].model)
        return models[model].mapping.files[Int(row.field)]
    }

    /// How the values look whose objects were listed, by field, after all listings; without those
    /// of tombstones.
    package func presentForms() -> [ModelFileField: Set<ValueForm>] {
        var forms = fingerprints.matched.forms
        for row in rows where row.alternatives > 0 && states[Int(row.slot)].isPresent {
            let record = records[Int(row.record)]
            guard !record.isTombstone else { continue }
            forms[
                ModelFileField(model: Int(record.model), field: Int(row.field)), default: []
            ].insert(ValueForm(value(of: row)))
        }
        return forms
    }
}
