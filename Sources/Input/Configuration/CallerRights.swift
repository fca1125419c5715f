package import MooringSchema

/// Whether the caller of an API is shown every record of its models.
///
/// Amplify's `@auth` gives the caller of a key or of a role all records of a model or none, with an
/// error; a user it may give some, and lists leave out the others without a word (Amplify's
/// documentation, "Customize authorization rules": owner and dynamic groups filter what is read).
package struct CallerRights {
    /// How requests say who asks.
    let auth: AppSyncSettings.Auth
    /// What the configuration says of it in words.
    let seesAll: Bool?
    /// The schema, where one is known.
    let document: SchemaDocument?

    /// The rights that settings and a schema tell of.
    package init(_ settings: AppSyncSettings, document: SchemaDocument?) {
        auth = settings.auth
        seesAll = settings.seesAll
        self.document = document
    }

    /// Why a record that is not shown may be there all the same; nil where none is hidden.
    package var hiding: String? {
        let isUser = [.cognito, .oidc].contains(auth)
        guard seesAll ?? !isUser else {
            let reason = isUser ? "auth: \(auth.rawValue)" : "seesAll: false"
            // Who writes seesAll: false has an API that filters for this caller, whoever it is.
            let advice =
                isUser
                ? "ask with auth: iam"
                : "let the API's resolvers show this caller every record and take seesAll: false "
                    + "out"
            return "with \(reason) the API may hide records without a word, and one that is "
                + "hidden protects no file; \(advice), or write seesAll: true under appsync "
                + "where the caller is shown every record of every model"
        }
        guard isUser, let model = filteredModel else { return nil }
        return "the schema's @auth gives this caller the rights of an owner or dynamic group only "
            + "in model \(model), whatever seesAll says: others' records are hidden; add a rule "
            + "that lets the caller read all of them, or ask with auth: iam"
    }

    // The first model in which rules for such a caller let it read, and all of these filter.
    private var filteredModel: String? {
        guard let document else { return nil }
        let models = document.definitions.filter { $0.directive("model") != nil }
        let general = document.definitions.first { $0.kind == .input && $0.name == "AMPLIFY" }?
            .fields.first { $0.name == "globalAuthRule" }?.defaultValue
        return models.first { model in
            let own = model.directives.filter { $0.name == "auth" }
            let all = own.isEmpty ? general?.elements ?? [] : own.flatMap(Self.rules)
            let rules = all.filter { ModelAccess.allowsReading($0) && isMeant($0) }
            return !rules.isEmpty && rules.allSatisfy(Self.filters)
        }?.name
    }

    private static func rules(_ directive: SchemaDirective) -> [SchemaValue] {
        directive["rules"]?.elements ?? []
    }

    // Without a provider a rule means users of the user pool, and `public` a key.
    private func isMeant(_ rule: SchemaValue) -> Bool {
        guard let allow = rule["allow"]?.word, ["owner", "groups", "private"].contains(allow)
        else { return false }
        let provider = rule["provider"]?.word ?? "userPools"
        return provider == (auth == .cognito ? "userPools" : "oidc")
    }

    private static func filters(_ rule: SchemaValue) -> Bool {
        rule["allow"]?.word == "owner" || rule["groupsField"] != nil
    }
}
