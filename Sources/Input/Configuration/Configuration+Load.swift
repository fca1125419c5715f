import Glibc
import MooringModel
import Yams
import MooringText

extension Configuration {
    /// What a draft writes for a value that it could not find out; no value may be this.
    package static let placeholder = "FILL-IN"
    /// The largest file that is read, in bytes.
    package static let sizeLimit = 1 << 20

    /// Reads a file. Throws a refusal when it cannot be read, is over 1 MiB or not UTF-8, or
    /// whatever `parse` refuses.
    package static func load(
        path: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        let bytes = try contents(of: path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let valid = String(decoding: bytes, as: UTF8.self).unicodeScalars
            let line = valid.prefix { $0 != "\u{FFFD}" }.count { $0 == "\n" } + 1
            throw ConfigurationError(
                file: path, line: line, "not UTF-8; save the file as UTF-8 text")
        }
        return try parse(text, file: path, environment: environment)
    }

    /// Reads a text as if it stood in the file: relative paths start at the file's folder. Throws
    /// a refusal that names every problem found, or the first one where the text is not YAML.
    package static func parse(
        _ text: String, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        try read(YAMLDocument.root(of: text, file: file), file: file, environment: environment)
    }

    /// Reads a tree as if it stood in the file, as `parse` does.
    static func read(
        _ root: Node, file: String, environment: [String: String]
    ) throws(ConfigurationError) -> Configuration {
        guard let working = Paths.workingFolder() else {
            throw ConfigurationError(file: file, "the working folder is gone; change to another")
        }
        let path = Paths.absolute(file, from: working)
        let context = ReadingContext(environment: environment, folder: Paths.folder(of: path))
        let reader = ConfigurationReader(context: context, file: file, path: path)
        let configuration = reader.read(root)
        guard let configuration, context.problems.isEmpty else {
            throw ConfigurationError(
                file: file, problems: context.problems, problemCount: context.problemCount)
        }
        return configuration
    }

    /// The file to read: the flag's, `MOORING_CONFIG`'s, `mooring.yaml` in the working folder, or
    /// `/etc/mooring/mooring.yaml`. A file that was named is not looked for: reading it tells.
    package static func locate(
        flag: String?, environment: [String: String]
    ) throws(ConfigurationError) -> String {
        if let flag { return flag }
        if let named = environment["MOORING_CONFIG"], !named.isEmpty { return named }
        for path in standardPaths where access(path, F_OK) == 0 { return path }
        throw ConfigurationError(
            file: nil,
            "no configuration: looked for --config, MOORING_CONFIG, ./mooring.yaml and "
                + "/etc/mooring/mooring.yaml; 'mooring init' writes one, and "
                + "'mooring demo DIR' makes an example to try")
    }

    private static let standardPaths = ["mooring.yaml", "/etc/mooring/mooring.yaml"]

    /// The bytes of a file that a person wrote; throws a refusal that names it.
    static func contents(
        of path: String, limit: Int = sizeLimit, kind: String = "configuration"
    ) throws(ConfigurationError) -> [UInt8] {
        do {
            return try HandWrittenFile.bytes(of: path, limit: limit, kind: kind)
        } catch {
            throw ConfigurationError(file: path, error.reason)
        }
    }
}
