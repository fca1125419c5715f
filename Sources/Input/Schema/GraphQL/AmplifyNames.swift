/// The names that Amplify's GraphQL transformer, version 2, gives to what it adds to a schema.
enum AmplifyNames {
    /// The column of a relation that names none: `postCommentsId` for the comments of a Post, after
    /// the type, the field, and the column of the identifier that it holds.
    static func connection(_ type: String, _ field: String, _ column: String) -> String {
        lowered(type) + raised(field) + raised(column)
    }

    /// The column of a join model that holds the identifier of one end: `postId`.
    static func joinColumn(_ type: String, _ column: String) -> String {
        lowered(type) + raised(column)
    }

    /// The join model's name for the name of a relation: its first letter a capital, and without
    /// what no name may hold; nil when nothing is left.
    static func joinModel(_ relation: String) -> String? {
        let name = raised(relation).utf8.drop { !isLetter($0) }.filter {
            isLetter($0) || (0x30...0x39).contains($0)
        }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// A name that is a part of a table's name in DynamoDB, if it may be one.
    static func identifier(_ name: String) -> String? {
        let isOne =
            (1...100).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                isLetter($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-")
            }
        return isOne ? name : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "_")
    }

    private static func lowered(_ name: String) -> String {
        name.prefix(1).lowercased() + name.dropFirst()
    }

    private static func raised(_ name: String) -> String {
        name.prefix(1).uppercased() + name.dropFirst()
    }
}
