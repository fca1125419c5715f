import MooringSchema
import MooringModel

/// The models of an API, found out once for all who ask.
actor ModelList {
    /// The models and what the schema lets one do.
    struct Found: Sendable {
        /// The models, in the schema's order.
        let models: [APIModel]
        /// Whether the schema has any mutation.
        let takesWrites: Bool
        /// The unions and interfaces that pages hold and that are no models throughout.
        var unlisted: [String] = []
        /// All unions and interfaces of the schema.
        var abstract: Set<String> = []

        /// The model of a name; throws with the nearest names.
        func model(_ name: String, at place: String) throws -> APIModel {
            if let model = models.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                return model
            }
            if abstract.contains(name) {
                throw StoreError(
                    place: place,
                    reason: "\(name.debugDescription) is a union or an interface, and no model",
                    hint: "map the models that its values are of", isRefusal: true)
            }
            let names = models.prefix(8).map(\.name).joined(separator: ", ")
            throw StoreError(
                place: place, reason: "the schema has no model \(name.debugDescription)",
                hint: models.isEmpty
                    ? "it has no model at all" : "its models begin with \(names)",
                isRefusal: true)
        }
    }

    private let schema: AppSyncSchema
    private let client: GraphQLClient
    private var found: Found?
    private var search: Task<Found, any Error>?

    /// The models that a schema tells.
    init(_ schema: AppSyncSchema, _ client: GraphQLClient) {
        self.schema = schema
        self.client = client
    }

    /// The models. Throws `StoreError` where the API does not tell them.
    func all() async throws -> Found {
        if let found { return found }
        let task = search ?? Task { try await read() }
        search = task
        do {
            let models = try await task.value
            found = models
            return models
        } catch {
            // The next one to ask tries again.
            search = nil
            throw error
        }
    }

    private func read() async throws -> Found {
        switch schema {
        case .introspection: return Self.whole(try await introspect())
        case .document(let document, let amplify, let detectsConflicts):
            let api = APISchema(document)
            let whole = Self.whole(api)
            // @model stands in no compiled schema: where it does, the operations are generated.
            let isSource = document.definitions.contains { $0.directive("model") != nil }
            guard isSource || whole.models.isEmpty || whole.models.allSatisfy(\.lists.isEmpty)
            else { return whole }
            let models = GeneratedOperations(
                document: document, amplify: amplify, detectsConflicts: detectsConflicts
            ).models()
            return Found(
                models: models, takesWrites: models.contains { $0.update != nil },
                abstract: whole.abstract)
        }
    }

    /// What a schema that holds its operations tells.
    static func whole(_ schema: APISchema) -> Found {
        let search = OperationSearch(schema: schema)
        return Found(
            models: search.models(), takesWrites: !schema.mutations.isEmpty,
            unlisted: search.unlisted(),
            abstract: Set(schema.names.filter { schema.types[$0]?.kind == .abstract }))
    }

    private func introspect() async throws -> APISchema {
        let operation = GraphQLOperation(name: "Introspection", text: Introspection.text)
        let answer = try await client.ask(operation)
        guard answer.errors.isEmpty, let schema = answer.data.flatMap(Introspection.schema) else {
            let told = answer.told.map { " (\($0))" } ?? ""
            throw StoreError(
                place: client.place(operation),
                reason: "the API does not tell its schema\(told): introspection may be disabled",
                hint: "name the schema's file under appsync: {schema: FILE}", isRefusal: true)
        }
        return schema
    }
}
