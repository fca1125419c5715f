import MooringConfiguration
import MooringSchema

/// What an Amplify project says of the store of one model's records.
struct ModelStore {
    /// How conflicts are settled; nil where no file says.
    let conflicts: AmplifyProject.Conflicts?
    /// The bucket that keys lie in, where there are several.
    let bucket: String?

    /// The lines about a model's version, change time and tombstones.
    func facts(of model: AmplifySchema.Model) -> [String] {
        switch conflicts {
        case .optimistic?, .automerge?, .lambda?:
            return [
                "version: _version  # conflict detection is on (\(conflicts?.rawValue ?? ""))",
                "changed: _lastChangedAt", "deleted: _deleted",
            ]
        case AmplifyProject.Conflicts.none?: return changed(of: model, guess: "")
        case nil:
            return changed(of: model, guess: "guess: ") + [
                "# with conflict detection, version: _version, changed: _lastChangedAt, "
                    + "deleted: _deleted"
            ]
        }
    }

    private func changed(of model: AmplifySchema.Model, guess: String) -> [String] {
        guard let column = model.changed else {
            return ["# no changed: the schema keeps no time of the last write"]
        }
        var lines = [
            "changed: \(YAMLText.scalar(column))  # \(guess)Amplify sets it at every write"
        ]
        if model.isChangedByDevice {
            lines.append("changedBy: device  # the schema names the column, so apps may set it")
        }
        return lines
    }
}
