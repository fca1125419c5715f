package import MooringModel

/// What a GraphQL schema with Amplify's directives says of an app's records: its models, their
/// identifiers and relations, and which of their fields may hold keys.
package struct AmplifySchema: Hashable, Sendable {
    /// A field that may hold keys.
    package struct KeyField: Hashable, Sendable {
        /// Why it may.
        package enum Basis: Hashable, Sendable {
            /// Its type is a complex object: bucket, key and region in one value.
            case complexObject(type: String)
            /// Its name ends like that of a key.
            case name
            /// Its name is `key` or `keys`, which may be the key of anything.
            case bareName
        }

        /// The type that has the field, and the field's name.
        package let type, field: String
        /// Where the field stands.
        package let place: SchemaPlace
        /// Whether it holds a list.
        package let isList: Bool
        /// Why it may hold keys.
        package let basis: Basis
        /// What a person should know of the field, each a sentence's rest.
        package let remarks: [String]

        /// Whether a value is a complex object.
        package var isComplex: Bool {
            if case .complexObject = basis { return true }
            return false
        }

        /// Whether it is more than a possibility.
        package var isLikely: Bool { basis != .bareName }

        /// `Song.coverArtKey`.
        package var name: String { "\(type).\(field)" }
    }

    /// A field that may hold keys inside a value of a model.
    package struct NestedKey: Hashable, Sendable {
        /// The field of the inner type.
        package let key: KeyField
        /// The way to it from the model, as a configuration writes it: `pages[].imageKey`.
        package let path: String
    }

    /// A column that holds another record's identifier.
    package struct Link: Hashable, Sendable {
        /// The column's name.
        package let column: String
        /// The model it points to.
        package let target: String
        /// Which directive says so.
        package let reason: String
    }

    /// One model.
    package struct Model: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// Where its name stands; that of a join model is where its relation is first named.
        package let place: SchemaPlace
        /// The columns of its identifier.
        package var id: [String] = ["id"]
        /// The names of its fields, and of the columns that Amplify adds.
        package var fields: Set<String> = []
        /// Its fields that may hold keys.
        package var keys: [KeyField] = []
        /// Fields that may hold keys inside its values, where a path can name them.
        package var nested: [NestedKey] = []
        /// Its columns that hold other records' identifiers, each column once.
        package var links: [Link] = []
        /// The column of the time of the last write, which Amplify adds; nil where the schema says
        /// that there is none.
        package var changed: String? = "updatedAt"
        /// Whether the schema has a field for that time too, so that an app may set it.
        package var isChangedByDevice = false
        /// Who may read its records; nil when the schema does not say.
        package var visibility: Visibility?
        /// Whether it does nothing but join two others.
        package var isJoin = false
        /// Sentences for a person: what was not read, and why.
        package var notes: [String] = []

        /// A model of which nothing else is known yet.
        package init(name: String, place: SchemaPlace) {
            self.name = name
            self.place = place
        }
    }

    /// The file as it was named.
    package let file: String
    /// The models, in the order of the text, then the join models that Amplify adds.
    package let models: [Model]
    /// Fields that may hold keys in types that are no models, but part of one.
    package let embedded: [KeyField]

    /// Reads a text; throws what is wrong with it first.
    package static func parse(
        _ bytes: [UInt8], file: String
    ) throws(SchemaError) -> AmplifySchema {
        try read(SchemaDocument.parse(bytes, file: file))
    }

    /// Reads a document; throws where two of its definitions share a name.
    package static func read(_ document: SchemaDocument) throws(SchemaError) -> AmplifySchema {
        let types = try SchemaTypes(document)
        let keys = KeyFields(types: types)
        let models = ModelRelations(types: types, keys: keys).models()
        return AmplifySchema(
            file: document.file, models: models, embedded: keys.embedded())
    }

    /// The model of a name.
    package func model(_ name: String) -> Model? { models.first { $0.name == name } }
}
