/// Who may import whom, and where it lives. Each target exists only because it forbids an import;
/// its folder says whether it is heart, border or proof.
enum ImportTable {
    /// One target: its folder below `Sources`, its row, and what it may import from outside the
    /// package.
    struct Entry {
        let target: String
        let folder: String
        let row: Int
        let outside: Set<String>
    }

    /// The rows from the top; a target imports only targets of rows with a smaller number.
    static let entries: [Entry] = [
        Entry(target: "CZlib", folder: "Stores/CZlib", row: 0, outside: []),
        Entry(target: "CISAL", folder: "Stores/CISAL", row: 0, outside: []),
        Entry(target: "CPostgres", folder: "Stores/CPostgres", row: 0, outside: []),
        Entry(
            target: "MooringText", folder: "Core/Text", row: 0,
            outside: ["Dispatch", "Glibc", "Synchronization"]),
        Entry(target: "MooringModel", folder: "Core/Model", row: 1, outside: []),
        Entry(target: "MooringDecisions", folder: "Core/Decisions", row: 2, outside: ["Crypto"]),
        Entry(
            target: "MooringReconcile", folder: "Core/Reconcile", row: 3,
            outside: ["Dispatch", "Glibc", "Synchronization"]),
        Entry(
            target: "MooringLedger", folder: "State/Ledger", row: 4,
            outside: ["GRDB", "GRDBSQLite", "Foundation", "Glibc", "Synchronization"]),
        Entry(target: "MooringSchema", folder: "Input/Schema", row: 4, outside: ["Glibc"]),
        Entry(
            target: "MooringConfiguration", folder: "Input/Configuration", row: 5,
            outside: ["Yams", "Crypto", "Foundation", "Glibc"]),
        Entry(
            target: "MooringReporting", folder: "Output/Reporting", row: 6,
            outside: ["Crypto", "Foundation", "Glibc"]),
        Entry(
            target: "MooringFiles", folder: "Stores/Files", row: 7,
            outside: ["Crypto", "Glibc", "Synchronization"]),
        Entry(
            target: "MooringSQLite", folder: "Stores/SQLite", row: 7,
            outside: ["GRDBSQLite", "Glibc"]),
        Entry(
            target: "MooringPostgres", folder: "Stores/Postgres", row: 7,
            outside: ["Glibc", "Dispatch", "Synchronization"]),
        Entry(
            target: "MooringAWS", folder: "Stores/AWS", row: 7,
            outside: [
                "AsyncHTTPClient", "Crypto", "NIOCore", "NIOHTTP1", "NIOSSL", "NIOPosix",
                "Foundation", "Glibc", "Synchronization",
            ]),
        Entry(
            target: "MooringS3", folder: "Stores/S3", row: 8,
            outside: ["Crypto", "Glibc", "Synchronization"]),
        Entry(
            target: "MooringDynamoDB", folder: "Stores/DynamoDB", row: 8,
            outside: ["Crypto", "Glibc", "Synchronization"]),
        Entry(target: "MooringAppSync", folder: "Stores/AppSync", row: 8, outside: []),
        Entry(
            target: "MooringSpark", folder: "Stores/Spark", row: 8,
            outside: ["Dispatch", "Glibc", "Synchronization"]),
        Entry(target: "MooringSimulation", folder: "Proof/Simulation", row: 8, outside: []),
        Entry(
            target: "MooringPipeline", folder: "Pipeline", row: 8,
            outside: ["Synchronization", "Glibc", "Foundation", "Crypto"]),
        Entry(
            target: "MooringCommands", folder: "Program/Commands", row: 9,
            outside: [
                "ArgumentParser", "Foundation", "Glibc", "Dispatch", "Synchronization", "Crypto",
            ]),
        Entry(target: "mooring", folder: "Program/mooring", row: 10, outside: ["ArgumentParser"]),
    ]

    /// One provider each: CPostgres belongs to its adapter, and the pipeline knows no adapter.
    static let adapters: Set<String> = [
        "MooringFiles", "MooringSQLite", "MooringPostgres", "MooringAWS", "MooringS3",
        "MooringDynamoDB", "MooringAppSync", "MooringSpark",
    ]

    /// What comes with Swift and is therefore not declared in Package.swift.
    static let toolchain: Set<String> = ["Foundation", "Glibc", "Dispatch", "Synchronization"]

    /// The name under which the table knows a module: a part of Foundation is Foundation, and a
    /// module of a C target is that target.
    static func canonical(_ module: String, moduleMaps: [String: String]) -> String {
        module == "FoundationEssentials" ? "Foundation" : moduleMaps[module] ?? module
    }

    /// The target of each module that a module map in the sources declares.
    static func moduleMaps() throws -> [String: String] {
        var targets: [String: String] = [:]
        for path in Repository.files(below: "Sources", extensions: ["modulemap"]) {
            let words = try Repository.text(path).split { " \n".contains($0) }
            for (word, name) in zip(words, words.dropFirst()) where word == "module" {
                targets[String(name)] = target(of: path)
            }
        }
        return targets
    }

    /// The target whose folder holds a file of the sources; nil when no target of the table does.
    static func target(of path: String) -> String? {
        entries.first { path.hasPrefix("Sources/\($0.folder)/") }?.target
    }

    /// Whether the table lets a target import a module.
    static func allows(_ target: String, importing module: String) -> Bool {
        guard let entry = entries.first(where: { $0.target == target }) else { return false }
        guard let sibling = entries.first(where: { $0.target == module }) else {
            return entry.outside.contains(module)
        }
        if module == "CZlib" {
            return ["MooringFiles", "MooringReporting", "MooringCommands"].contains(target)
        }
        if module == "CISAL" { return target == "MooringFiles" }
        if module == "CPostgres" { return target == "MooringPostgres" }
        if adapters.contains(module), target == "MooringPipeline" { return false }
        return sibling.row < entry.row
    }

    /// The modules that a file imports, with the line of each, from 1.
    static func imports(in source: SwiftSource) -> [(module: String, line: Int)] {
        let kinds = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
        var found: [(module: String, line: Int)] = []
        for (number, line) in source.code.enumerated() {
            let words = Token.all(in: [line]).filter { $0.isWord || $0.text == "." }.map(\.text)
            guard let place = words.firstIndex(of: "import") else { continue }
            let name = words[(place + 1)...].first { !kinds.contains($0) }
            if let name { found.append((name, number + 1)) }
        }
        return found
    }

    /// A target as Package.swift declares it: its name, and the modules it depends on.
    struct DeclaredTarget {
        let name: String
        let kind: String
        /// Its folder, from the root; nil when the manifest leaves that to convention.
        let folder: String?
        let dependencies: [String]
    }

    /// The targets of a manifest. It reads the text and does not run it, so names must be literals.
    static func targets(inManifest text: String) -> [DeclaredTarget] {
        // Strings are blanked in `code`, so brackets are found there and names in the text.
        let source = SwiftSource(path: "Package.swift", text: text)
        let code = Array(source.code.joined(separator: [0x0A]))
        let bytes = Array(text.utf8)
        var found: [DeclaredTarget] = []
        for kind in ["target", "executableTarget", "testTarget", "systemLibrary"] {
            for start in places(of: ".\(kind)(", in: code) {
                let range = balanced(from: start + kind.utf8.count + 1, in: code)
                guard let name = strings(in: range, of: bytes, code: code).first else { continue }
                let list = places(of: "dependencies:", in: code).first { range.contains($0) }
                let opening = list.flatMap { code[$0...].firstIndex(of: UInt8(ascii: "[")) }
                let dependencies = opening.map {
                    modules(in: balanced(from: $0, in: code), of: bytes, code: code)
                }
                let label = places(of: "path:", in: code).first { range.contains($0) }
                let folder = label.flatMap {
                    strings(in: $0..<range.upperBound, of: bytes, code: code).first
                }
                found.append(
                    DeclaredTarget(
                        name: name, kind: kind, folder: folder, dependencies: dependencies ?? []))
            }
        }
        return found
    }

    /// The names in a list of dependencies; of a product, its own name and not its package's.
    private static func modules(
        in range: Range<Int>, of bytes: [UInt8], code: [UInt8]
    ) -> [String] {
        let products = places(of: ".product(", in: code).filter(range.contains)
        let inner = products.map { balanced(from: $0 + ".product".utf8.count, in: code) }
        var names = inner.compactMap { strings(in: $0, of: bytes, code: code).first }
        var plain = code
        for product in inner {
            for index in product { plain[index] = UInt8(ascii: " ") }
        }
        names += strings(in: range, of: bytes, code: plain)
        return names
    }

    private static func places(of text: String, in code: [UInt8]) -> [Int] {
        let wanted = Array(text.utf8)
        return code.indices.filter {
            code[$0] == wanted[0] && code[$0...].starts(with: wanted)
        }
    }

    /// The range of a bracket that opens at `start`, both ends included.
    private static func balanced(from start: Int, in code: [UInt8]) -> Range<Int> {
        var depth = 0
        for index in start..<code.count {
            switch code[index] {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            if depth == 0 { return start..<(index + 1) }
        }
        return start..<code.count
    }

    /// The strings whose quotes are visible in `code`.
    private static func strings(
        in range: Range<Int>, of bytes: [UInt8], code: [UInt8]
    ) -> [String] {
        let quotes = range.filter { code[$0] == UInt8(ascii: "\"") }
        return stride(from: 0, to: quotes.count - 1, by: 2).map {
            String(decoding: bytes[(quotes[$0] + 1)..<quotes[$0 + 1]], as: UTF8.self)
        }
    }
}
