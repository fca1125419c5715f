import MooringText

extension SQLText {
    /// A name alone.
    static func name(_ name: [UInt8]) -> SQLText {
        var text = SQLText()
        text.append(name: name)
        return text
    }

    /// A relation with its schema.
    static func relation(_ relation: Catalogue.Relation) -> SQLText {
        var text = SQLText.name(relation.schema)
        text.append(".")
        text.append(name: relation.name)
        return text
    }
}
