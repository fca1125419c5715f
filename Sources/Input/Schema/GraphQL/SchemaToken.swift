import MooringText

/// One word or mark of a schema's text.
struct SchemaToken: Hashable, Sendable {
    /// What it is.
    enum Kind: Hashable, Sendable {
        /// Letters, digits and underscores.
        case name(String)
        /// One of `! $ & ( ) : = @ [ ] { | }`.
        case mark(UInt8)
        /// `...`, which only queries hold.
        case spread
        /// A string or a block string, without its quotes and escapes.
        case string(String)
        /// A whole number, as it was written.
        case integer(String)
        /// A number with a fraction or an exponent, as it was written.
        case decimal(String)
        /// The end of the text.
        case end
    }

    /// What it is.
    let kind: Kind
    /// Where it begins.
    let place: SchemaPlace

    /// The token in a message; a string's content is not repeated.
    var shown: String {
        switch kind {
        case .name(let name): "'\(name.printable)'"
        case .mark(let byte): "'\(Character(Unicode.Scalar(byte)))'"
        case .spread: "'...'"
        case .string: "a string"
        case .integer(let text), .decimal(let text): "the number \(text.printable)"
        case .end: "the end of the file"
        }
    }
}
