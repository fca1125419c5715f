import MooringText

/// A place in a schema's text.
package struct SchemaPlace: Hashable, Sendable {
    /// The line, from 1.
    package let line: Int
    /// The character in the line, from 1; a tab is one character.
    package let column: Int
    /// The file as it was named, of a schema in several; nil where there is only one.
    package let file: String?

    /// A place.
    package init(line: Int, column: Int, file: String? = nil) {
        self.line = line
        self.column = column
        self.file = file
    }
}

/// Why a schema, or another file of an app's project, cannot be read: the first thing that is
/// wrong, and where.
///
/// The message repeats names and marks of the text, and none of its strings.
package struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    package let file: String
    /// Where the text goes wrong; nil of a file that could not be read, or holds no schema.
    package let place: SchemaPlace?
    /// What was found, and what was expected.
    package let message: String

    /// An error at a place.
    package init(file: String, place: SchemaPlace? = nil, message: String) {
        self.file = place?.file ?? file
        self.place = place
        self.message = message
    }

    /// `schema.graphql:3:14: found '}', expected …`.
    package var description: String {
        let at = place.map { ":\($0.line):\($0.column)" } ?? ""
        return "\(file.printablePath)\(at): \(message)"
    }

    /// The bytes of a file that a person wrote, under the name by which they know it; throws where
    /// it cannot be read or is over the limit in bytes.
    static func bytes(
        of path: String, limit: Int, kind: String, named name: String? = nil
    ) throws(SchemaError) -> [UInt8] {
        do {
            return try HandWrittenFile.bytes(of: path, limit: limit, kind: kind)
        } catch {
            throw SchemaError(file: name ?? path, message: error.reason)
        }
    }
}
