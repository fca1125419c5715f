import MooringConfiguration
import MooringSchema

/// Writes the models of an Amplify project.
struct AmplifyModelsText {
    /// The project.
    let project: AmplifyProject
    /// The names of its buckets in the configuration, the default one first.
    let buckets: [String]
    /// The models that are written; the others stand in a comment.
    let named: [AmplifySchema.Model]

    /// The models of a project.
    init(project: AmplifyProject, buckets: [String]) {
        self.project = project
        self.buckets = buckets
        named = project.schema.map { SchemaDraftText.telling($0.models, of: $0) } ?? []
    }

    /// The entries of `models`, and what was left out.
    var parts: [String] {
        guard let schema = project.schema, !named.isEmpty else {
            return [
                """
                      # FILL IN: no file describes the models. Write each that holds files, with
                      # its fields, or draft again after 'amplify pull'.
                      - model: \(AmplifyDraft.placeholder)
                        files: [{field: \(AmplifyDraft.placeholder), level: any}]
                """
            ]
        }
        let models = named.map { model in
            ModelText(model: model, table: nil, store: store(of: model)).text
        }
        let paths = Set(named.flatMap(\.nested).map(\.key))
        let others = SchemaDraftText.others(
            than: named, in: schema, isNamed: { paths.contains($0) }, reason: { _ in nil })
        return models + [others].compactMap { $0 }
    }

    /// Fields that hold keys: by their types, and by their names.
    var fields: (sure: [String], guessed: [String]) {
        let own = named.flatMap(\.keys).filter(\.isLikely).map { ($0.name, $0) }
        let keys =
            own
            + named.flatMap { model in
                model.nested.map { ("\(model.name).\($0.path)", $0.key) }
            }
        return (
            keys.filter { $0.1.isComplex }.map(\.0), keys.filter { !$0.1.isComplex }.map(\.0)
        )
    }

    /// How conflicts are settled in the models that are written; nil where no file says.
    var conflicts: AmplifyProject.Conflicts? {
        project.conflicts?.mode(of: named.map(\.name))
    }

    /// Whether devices may keep copies of a model that is written: its conflicts are detected.
    var detectConflicts: Bool {
        named.contains { model in
            project.conflicts.map { $0.mode(of: model.name) != .none } ?? false
        }
    }

    private func store(of model: AmplifySchema.Model) -> ModelStore {
        ModelStore(
            conflicts: project.conflicts?.mode(of: model.name),
            bucket: buckets.count > 1 ? buckets.first : nil)
    }
}
