import MooringSchema

/// The types of a GraphQL API, as its schema file or its introspection tells them.
struct APISchema: Hashable, Sendable {
    /// What a type is.
    enum Kind: Hashable, Sendable {
        case object, input, enumeration, scalar
        /// A type whose values are of one of several others.
        case abstract
    }

    /// A value that a field takes.
    struct Argument: Hashable, Sendable {
        /// Its name.
        let name: String
        /// Its type.
        let type: SchemaType
        /// Whether a query has to give it.
        let isRequired: Bool
    }

    /// A field of an object or an input.
    struct Field: Hashable, Sendable {
        /// Its name.
        let name: String
        /// Its type.
        let type: SchemaType
        /// What it takes; an input's field takes nothing.
        var arguments: [Argument] = []
        /// Where it stands in its file; nil without a file.
        var place: SchemaPlace?
    }

    /// A type.
    struct Definition: Hashable, Sendable {
        /// Its name.
        let name: String
        /// What it is.
        let kind: Kind
        /// Its fields.
        var fields: [Field] = []

        /// The field of a name.
        func field(_ name: String) -> Field? { fields.first { $0.name == name } }
    }

    /// The types by their names.
    private(set) var types: [String: Definition] = [:]
    /// The names, in the order in which they were told.
    private(set) var names: [String] = []
    /// The types that the values of a union or an interface may be of, by its name.
    private(set) var possible: [String: Set<String>] = [:]
    /// The names of the types that hold the queries and the mutations.
    var query = "Query", mutation = "Mutation"

    /// A schema without types.
    init() {}

    /// Adds a type, or its fields to the one of its name.
    mutating func add(_ definition: Definition) {
        guard types[definition.name] == nil else {
            types[definition.name]?.fields += definition.fields
            return
        }
        names.append(definition.name)
        types[definition.name] = definition
    }

    /// Notes that values of a union or an interface may be of a type.
    mutating func note(_ type: String, isPossibleFor abstract: String) {
        possible[abstract, default: []].insert(type)
    }

    /// The fields that ask something, in the schema's order.
    var queries: [Field] { types[query]?.fields ?? [] }
    /// The fields that change something, in the schema's order.
    var mutations: [Field] { types[mutation]?.fields ?? [] }
}

extension APISchema {
    /// The schema of a text that was read into its definitions.
    init(_ document: SchemaDocument) {
        self.init()
        for definition in document.definitions {
            switch definition.kind {
            case .schema:
                for field in definition.fields where field.name == "query" {
                    query = field.type.base
                }
                for field in definition.fields where field.name == "mutation" {
                    mutation = field.type.base
                }
            case .directive: break
            default:
                add(Definition(definition))
                for member in definition.members {
                    switch definition.kind {
                    case .union: note(member, isPossibleFor: definition.name)
                    case .object: note(definition.name, isPossibleFor: member)
                    default: break
                    }
                }
            }
        }
    }
}

extension APISchema.Definition {
    fileprivate init(_ definition: SchemaDefinition) {
        let kind: APISchema.Kind =
            switch definition.kind {
            case .input: .input
            case .enumeration: .enumeration
            case .scalar: .scalar
            case .interface, .union: .abstract
            default: .object
            }
        self.init(
            name: definition.name, kind: kind,
            fields: definition.fields.map { field in
                APISchema.Field(
                    name: field.name, type: field.type,
                    arguments: field.arguments.map { argument in
                        APISchema.Argument(
                            name: argument.name, type: argument.type,
                            isRequired: argument.type.isRequired
                                && argument.defaultValue == nil)
                    }, place: field.place)
            })
    }
}

extension SchemaType {
    /// Whether there has to be a value.
    var isRequired: Bool {
        if case .nonNull = self { return true }
        return false
    }

    /// The type as GraphQL writes it: `[String]!`.
    var text: String {
        switch self {
        case .named(let name): name
        case .list(let inner): "[\(inner.text)]"
        case .nonNull(let inner): "\(inner.text)!"
        }
    }

    /// The same type, with a value that has to be there.
    var required: SchemaType { isRequired ? self : .nonNull(self) }
}
