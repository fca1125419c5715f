import MooringModel

/// Writes guesses as a commented `mooring.yaml`.
struct DraftText {
    /// The guesses, one a table.
    let models: [ModelGuess]
    /// The paths to write.
    let places: DraftPlaces

    /// The whole text.
    var text: String {
        ([header] + models.compactMap(model) + [others, Self.footer(places)].compactMap { $0 })
            .joined(separator: "\n") + "\n"
    }

    private var header: String {
        """
        # Drafted by `mooring init` from a database and a folder. Read it and put it right; then
        # `mooring doctor` tests it, and `mooring audit` changes nothing but its own ledger.
        # A guess says what it rests on. A field that is missing here makes its files look like
        # orphans; Mooring still looks for keys in every text of every table before it says so.
        version: 1

        # All of Mooring's own state: runs, findings, plans and the journal of repairs.
        ledger: ./mooring.ledger

        # Where records live, and which of their fields hold keys of files.
        records:
          - name: app
            sqlite: \(YAMLText.quoted(places.database))
            models:
        """
    }

    // MARK: Models

    private func model(_ guess: ModelGuess) -> String? {
        let fields = guess.files.isEmpty ? guess.doubtful : guess.files
        guard !fields.isEmpty else { return nil }
        let table = guess.sample.name
        var lines = ["- model: \(YAMLText.scalar(modelName(table)))"]
        if !FieldGuess.canBeNamed(table) { lines.append("  table: \(YAMLText.quoted(table))") }
        lines += facts(guess) + ["  files:"]
        for field in guess.files { lines += Self.lines(of: field, guess).map { "    " + $0 } }
        for field in guess.doubtful {
            let note = Self.note(on: field)
            let mapped = Self.lines(of: field, guess).filter { !$0.contains("# ") }
                .map { "# " + $0 }
            lines += ([note] + mapped).map { "    " + $0 }
        }
        let mark = guess.files.isEmpty ? "      # " : "      "
        let title = guess.files.isEmpty ? ["      # Nothing here is surely a key:"] : []
        return (title + lines.map { mark + $0 }).joined(separator: "\n")
    }

    // A model's name is free, a table's is not: a control character is shown as `?`.
    private func modelName(_ table: String) -> String {
        guard !FieldGuess.canBeNamed(table) else { return table }
        var name = table.isEmpty ? "table" : VisibleName.of(table)
        while models.contains(where: { $0.sample.name == name }) { name += "?" }
        return name
    }

    private static func note(on field: FieldGuess) -> String {
        let found = "\(field.found) of \(field.lookedUp) values are files here"
        guard field.canBeNamed else {
            return "# not named: \(found), but a configuration holds no such name"
        }
        return "# not named: \(found)"
            + (field.looksLikeKeys ? ", though they look like keys" : "")
    }

    private func facts(_ guess: ModelGuess) -> [String] {
        var lines: [String] = []
        if guess.sample.id != ["id"] {
            let columns = guess.sample.id.map(YAMLText.scalar).joined(separator: ", ")
            let id = guess.sample.id.count == 1 ? columns : "[\(columns)]"
            lines.append("id: \(id)  # the table's primary key")
        }
        func add(_ key: String, _ column: String?, _ reason: String) {
            guard let column else { return }
            lines.append("\(key): \(YAMLText.scalar(column))  # \(reason)")
        }
        add("version", guess.version, "guessed from its name: a number that grows with each write")
        add(
            "changed", guess.changed,
            "guessed from its name; add changedBy: device if devices set it")
        add("deleted", guess.deleted, "guessed from its name: marks a tombstone")
        add(
            "identity", guess.identity,
            "guessed: its values are folders below private/ or protected/")
        return lines.map { "  " + $0 }
    }

    private static func lines(of guess: FieldGuess, _ model: ModelGuess) -> [String] {
        let field = guess.field
        var lines = [
            "# guessed: \(guess.found) of \(guess.lookedUp) values are files "
                + place(field.level, model),
            "- field: \(YAMLText.scalar(field.field))",
        ]
        if field.isList { lines.append("  list: true") }
        if field.isComplex { lines.append("  complex: true") }
        switch field.level {
        case .root: lines.append("  level: root")
        case .any: lines.append("  level: any")
        case .named(let name): lines.append("  level: \(YAMLText.scalar(name))")
        }
        if let template = guess.template {
            lines.append(
                "  template: \(YAMLText.quoted(template.template.text))"
                    + "  # guessed: \(template.fitting) of \(guess.keys) keys name their record so")
        } else {
            lines.append("  # no template: the keys do not name their record in one way")
        }
        return lines
    }

    private static func place(_ level: LevelChoice, _ model: ModelGuess) -> String {
        switch level {
        case .root: return "by their whole value"
        case .any: return "under several levels"
        case .named(let name):
            let level = AccessLevel.amplify.first { $0.name == name }
            let head = level.map { String(decoding: $0.head, as: UTF8.self) } ?? ""
            guard level?.tail != nil else { return "under \(head)" }
            return "under \(head){identity}/"
                + (model.identity == nil ? ", of an identity that the record does not name" : "")
        }
    }

    // MARK: The rest

    private var others: String? {
        let rest = models.filter { $0.files.isEmpty && $0.doubtful.isEmpty }
        var lines: [String] = []
        for guess in rest {
            let name = VisibleName.of(guess.sample.name)
            if let problem = guess.sample.problem {
                lines.append("\(name): could not be read (\(VisibleName.of(problem)))")
            } else if guess.sample.id.isEmpty {
                lines.append("\(name): has no primary key, so its records cannot be told apart")
            } else {
                lines.append("\(name): no text of it is a file here")
            }
        }
        guard !lines.isEmpty else { return nil }
        return (["Tables that are not named:"] + lines.map { "  " + $0 })
            .map { "      # " + $0 }.joined(separator: "\n")
    }

    /// Everything after the records. What a person must fill in about the folder is a comment.
    static func footer(_ places: DraftPlaces, blank: String? = nil) -> String {
        let comment = blank.map { "    # \($0)\n" } ?? ""
        let ignored = places.ignored.map(YAMLText.quoted).joined(separator: ", ")
        let ignore =
            ignored.isEmpty ? "" : "\n    ignore: [\(ignored)]  # lie there, and are no objects"
        return """

            # Where files live. Removed files are not deleted: they wait in .mooring/quarantine/.
            buckets:
              - name: files
            \(comment)    directory: \(YAMLText.quoted(places.objects))\(ignore)

            # How long a device may take to associate an upload (1 h), and to write an old copy of
            # a record back (3 d). Apps that work offline for weeks need `preset: offline`.
            race:
              preset: standard
            \(policy)
            """
    }

    /// What may be done, and where reports go.
    static let policy = """

        # What `plan` proposes. `mooring run` changes nothing while apply is false.
        repair:
          apply: false
          orphan: quarantine
          dangling: nullify
          retention: 30d

        # A plan that would remove more than this share of all files is refused.
        limits: {orphanShare: 1%}

        # `mooring check` fails when one of these does not hold. Where there are findings that
        # everybody knows of, `mooring baseline` writes them down, and
        # `mooring check --baseline mooring.baseline.jsonl` fails only for others.
        gates: ["dangling.settled == 0", "share(orphan.settled) < 1%"]

        report: {directory: Reports/Runs, formats: [json, html, text]}
        """
}
