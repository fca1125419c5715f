import Glibc
import MooringModel
import Yams

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
        guard let working = Paths.workingFolder() else {
            throw ConfigurationError(file: file, "the working folder is gone; change to another")
        }
        let root = try YAMLDocument.root(of: text, file: file)
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

    /// The bytes of a file that a person wrote; throws a refusal when it cannot be read, or is over
    /// the limit in bytes, which is a whole number of MiB. The refusal names the file otherwise
    /// where a name is given.
    static func contents(
        of path: String, limit: Int = sizeLimit, what: String = "configuration",
        named name: String? = nil
    ) throws(ConfigurationError) -> [UInt8] {
        let descriptor = path.utf8.contains(0) ? -1 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason =
                path.utf8.contains(0) ? "NUL in its name" : String(cString: strerror(errno))
            throw ConfigurationError(file: name ?? path, "cannot be opened: \(reason)")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ConfigurationError(
                    file: name ?? path, "cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= limit else {
                throw ConfigurationError(
                    file: name ?? path, "over \(limit >> 20) MiB, which no \(what) needs")
            }
        }
    }
}
