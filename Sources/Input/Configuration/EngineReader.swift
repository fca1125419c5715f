import MooringText

/// Who does the set work: leaves out of records and objects what is plainly matched.
package enum Engine: String, Hashable, Sendable, CaseIterable {
    /// This program.
    case native
    /// Apache Spark; everything else is done here.
    case spark
}

/// How Spark is reached.
package struct SparkSettings: Hashable, Sendable {
    /// The program that submits: a name that is looked for in the folders of PATH, or a path;
    /// `spark-submit` by default.
    package var submit = "spark-submit"
    /// The master, as Spark names it; `local[*]` by default.
    package var master = "local[*]"
    /// Settings of Spark's own.
    package var conf: [String: String] = [:]
    /// The absolute path of the folder that both sides reach; by default `spark-work` beside the
    /// file.
    package var work: String
    /// How Spark names what this machine reaches by a path.
    package var mounts = SparkMounts.none

    /// The setting of how many needs go to where the rows are.
    package static let needsSent = "spark.mooring.needsSent"
}

/// Reads `engine` and `spark`.
struct EngineReader {
    /// The file.
    let root: Section

    /// The engine.
    func engine() -> Engine { root.choice("engine", of: Engine.self) ?? .native }

    /// How Spark is reached.
    func spark() -> SparkSettings {
        var settings = SparkSettings(
            work: Paths.absolute("spark-work", from: root.context.folder))
        let known = ["submit", "master", "conf", "work", "mounts"]
        guard let section = root.section("spark", known: known) else { return settings }
        settings.submit = section.filled("submit")?.value ?? settings.submit
        if settings.submit.contains("/") {
            settings.submit = Paths.absolute(settings.submit, from: root.context.folder)
        }
        settings.master = section.filled("master")?.value ?? settings.master
        if let mounts = section.section("mounts", known: nil) {
            settings.mounts = SparkMounts(mounts)
        }
        settings.work = work(section, settings.mounts) ?? settings.work
        if let conf = section.section("conf", known: nil) {
            for name in conf.keys { settings.conf[name] = setting(name, conf) }
        }
        return settings
    }

    private func setting(_ name: String, _ conf: Section) -> String? {
        guard name.hasPrefix("spark."), !name.contains("=") else {
            conf.report(
                "a setting of Spark begins with 'spark.'; found '\(name.printable)'", at: name)
            return nil
        }
        guard let value = conf.text(name)?.value else { return nil }
        if name == SparkSettings.needsSent, Int(value).map({ $0 < 0 }) ?? true {
            conf.report("'\(name)' needs a whole number of needs", at: name)
        }
        return value
    }

    private func work(_ section: Section, _ mounts: SparkMounts) -> String? {
        guard let text = section.text("work"), text.value.contains("://") else {
            return section.has("work") ? section.path("work") : nil
        }
        if let path = mounts.path(of: text.value) { return path }
        section.report(
            "'work' needs a place that this machine reaches too; no folder of 'mounts' is called "
                + "so: mount it, and say there what Spark calls it",
            at: "work")
        return nil
    }
}
