import MooringModel
import MooringText

/// One item as a read gives it: each attribute as a field, and as the service's own bytes.
struct Item {
    /// An attribute's value.
    struct Attribute {
        /// As records hold it.
        let value: FieldValue
        /// As the service wrote it, for conditions and for putting it back.
        let raw: [UInt8]
    }

    /// The attributes by the bytes of their names.
    private(set) var attributes: [[UInt8]: Attribute] = [:]

    /// The item that comes next.
    init(_ cursor: inout JSONCursor) throws(ItemFault) {
        var attributes: [[UInt8]: Attribute] = [:]
        try cursor.members { (cursor, name) throws(ItemFault) in
            let (value, raw) = try cursor.locating(AttributeReader.value)
            guard attributes.updateValue(Attribute(value: value, raw: raw), forKey: name) == nil
            else { throw cursor.fault("holds an attribute twice") }
        }
        self.attributes = attributes
    }

    /// The value of an attribute.
    subscript(_ name: String) -> FieldValue { attribute(name)?.value ?? .absent }

    /// An attribute; nil where the item has none of this name.
    func attribute(_ name: String) -> Attribute? { attributes[Array(name.utf8)] }

    /// The names of the attributes, sorted by their bytes.
    var names: [String] {
        attributes.keys.sorted { $0.lexicographicallyPrecedes($1) }
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether it is kept under conflict detection.
    var isVersioned: Bool { VersionMarks.areSet(VersionMarks.names.map { self[$0] }) }

    /// The item as the service writes it.
    var text: [UInt8] {
        var members = RequestBody()
        for name in names { members.add(name, attribute(name)?.raw ?? []) }
        return members.text
    }
}
