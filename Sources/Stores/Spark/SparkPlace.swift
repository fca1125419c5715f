import Glibc
package import MooringConfiguration
package import MooringModel

/// How Spark is reached.
package struct SparkPlace: Hashable, Sendable {
    /// The program that submits: a name that is looked for in the folders of PATH, or a path.
    package let submit: String
    /// The master, as Spark names it.
    package let master: String
    /// Settings that are given on to it.
    package let settings: [String: String]
    /// The folder that both sides reach.
    package let work: String
    /// How Spark names what this machine reaches by a path.
    package let mounts: SparkMounts

    /// A place.
    package init(
        submit: String, master: String, settings: [String: String], work: String,
        mounts: SparkMounts = .none
    ) {
        (self.submit, self.master) = (submit, master)
        (self.settings, self.work, self.mounts) = (settings, work, mounts)
    }
}

extension SparkPlace {
    /// So many needs go to where the rows are, each with some 100 bytes, unless a setting says so.
    static let needsSent = 1_000_000

    /// So many of a run do.
    var needsSent: Int {
        settings[SparkSettings.needsSent].flatMap { Int($0) } ?? Self.needsSent
    }

    /// Whether a setting of this name is a secret, which stands on no command line.
    static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        let words = name.split { ".-_".contains($0) }
        return words.contains("key") || words.contains("sas")
            || ["secret", "password", "token", "credential", "accesskey"]
                .contains { name.contains($0) }
    }

    /// The settings that are secrets.
    var secrets: [String: String] { settings.filter { Self.isSecret($0.key) } }

    /// What keeps this machine from submitting anything: no such program, or a folder that cannot
    /// be written; nil where nothing does. A folder is made and removed to see that.
    package func failure(_ environment: [String: String]) -> NarrowingFailure? {
        guard SparkRun.program(submit, environment) != nil else {
            return SparkRun.missing(submit)
        }
        let isThere = access(work, F_OK) == 0
        defer { if !isThere { rmdir(work) } }
        do throws(NarrowingFailure) {
            try WorkFolder(below: work).remove()
            return nil
        } catch {
            return error
        }
    }
}
