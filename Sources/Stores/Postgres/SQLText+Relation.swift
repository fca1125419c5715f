import MooringText

extension SQLText {
    /// One name in quotes.
    static func name(_ name: [UInt8]) -> SQLText {
        var text = SQLText()
        text.append(name: name)
        return text
    }

    /// A relation's name behind that of its schema, both in quotes.
    static func relation(_ relation: Catalogue.Relation) -> SQLText {
        var text = SQLText.name(relation.schema)
        text.append(".")
        text.append(name: relation.name)
        return text
    }
}
