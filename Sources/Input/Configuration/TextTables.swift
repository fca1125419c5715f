import MooringModel
import MooringText

/// Reads which tables of a source pass B takes for histories, and which it leaves out.
enum TextTables {
    /// `notReferences`: tables, or columns as `table.column`; `*` stands for any part of a name.
    static func notReferences(_ section: Section, models: [ModelMapping]) -> [Glob] {
        patterns("notReferences", section) { glob in
            let fields = models.flatMap { model in
                model.files.map { (model, "\(model.table).\($0.column)") }
            }
            return fields.first { model, field in
                glob.matches(ObjectKey(model.table)) || glob.matches(ObjectKey(field))
            }.map { model, field in
                "'notReferences' covers \(field.printable), which model "
                    + "\(model.model.printable) maps as a file field; take one of them out"
            }
        }
    }

    /// `unread`: tables that pass B leaves out.
    static func unread(_ section: Section, models: [ModelMapping]) -> [Glob] {
        patterns("unread", section) { glob in
            if let outbox = OutboxTable.tables.sorted().first(where: {
                glob.matches(ObjectKey($0))
            }) {
                return "'unread' covers \(outbox), where devices keep what they will write; "
                    + "what is about to be written has to be read"
            }
            return models.first { glob.matches(ObjectKey($0.table)) }.map { model in
                "'unread' covers \(model.table.printable), the table of model "
                    + "\(model.model.printable); what is mapped has to be read"
            }
        }
    }

    private static func patterns(
        _ key: String, _ section: Section, problem: (Glob) -> String?
    ) -> [Glob] {
        (section.texts(key) ?? []).compactMap { text in
            guard !text.value.isEmpty else {
                section.context.report("a pattern of '\(key)' is empty", line: text.line)
                return nil
            }
            let glob = Glob(text.value)
            if let problem = problem(glob) {
                section.context.report(problem, line: text.line)
                return nil
            }
            return glob
        }
    }
}
