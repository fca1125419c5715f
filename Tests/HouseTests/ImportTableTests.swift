import Testing

/// The layers: an import of a sibling that the target does not declare compiles, so this test is
/// what stops it.
struct ImportTableTests {
    @Test("Every import in the sources is one the table allows and Package.swift declares")
    func sources() throws {
        let manifest = ImportTable.targets(inManifest: try Repository.text("Package.swift"))
        let declared = Dictionary(
            manifest.map { ($0.name, Set($0.dependencies)) }, uniquingKeysWith: { $0.union($1) })
        var breaches: [String] = []
        let maps = try ImportTable.moduleMaps()
        let paths = Repository.files(below: "Sources", extensions: ["swift"])
        try #require(paths.count > 10, "the sources were not found from \(Repository.root)")
        for path in paths {
            // A folder that is no target's is found by the test of folders.
            guard let target = ImportTable.target(of: path) else { continue }
            let source = SwiftSource(path: path, text: try Repository.text(path))
            for (name, line) in ImportTable.imports(in: source) {
                let module = ImportTable.canonical(name, moduleMaps: maps)
                if !ImportTable.allows(target, importing: module) {
                    breaches.append("\(path):\(line): \(target) may not import \(module)")
                } else if !ImportTable.toolchain.contains(module),
                    declared[target]?.contains(module) != true
                {
                    breaches.append("\(path):\(line): Package.swift does not declare \(module)")
                }
            }
        }
        expectNone(breaches)
    }

    @Test("Package.swift declares the targets of the table and nothing that it forbids")
    func manifest() throws {
        let targets = ImportTable.targets(inManifest: try Repository.text("Package.swift"))
            .filter { $0.kind != "testTarget" && $0.folder?.hasPrefix("Tests/") != true }
        #expect(
            Dictionary(uniqueKeysWithValues: targets.map { ($0.name, $0.folder) })
                == Dictionary(
                    uniqueKeysWithValues: ImportTable.entries.map {
                        ($0.target, "Sources/\($0.folder)")
                    }))
        expectNone(
            targets.flatMap { target in
                target.dependencies.filter { !ImportTable.allows(target.name, importing: $0) }
                    .map { "Package.swift: \(target.name) may not depend on \($0)" }
            })
    }

    @Test("Every file of the sources is a target's of the table, and every target has one")
    func folders() {
        let files = Repository.files(below: "Sources", extensions: ["swift", "modulemap"])
        expectNone(
            files.filter { ImportTable.target(of: $0) == nil }.map { "\($0): in no target" })
        #expect(
            Set(files.compactMap(ImportTable.target)) == Set(ImportTable.entries.map(\.target)))
    }

    @Test("The table forbids what the layers are for")
    func table() {
        #expect(!ImportTable.allows("MooringModel", importing: "Foundation"))
        #expect(!ImportTable.allows("MooringDecisions", importing: "Foundation"))
        #expect(!ImportTable.allows("MooringDecisions", importing: "Glibc"))
        #expect(!ImportTable.allows("MooringPipeline", importing: "MooringSQLite"))
        #expect(!ImportTable.allows("MooringFiles", importing: "MooringSQLite"))
        #expect(!ImportTable.allows("MooringReporting", importing: "MooringPipeline"))
        #expect(!ImportTable.allows("MooringSQLite", importing: "CZlib"))
        #expect(!ImportTable.allows("MooringReporting", importing: "CISAL"))
        #expect(ImportTable.allows("MooringPipeline", importing: "MooringReporting"))
        #expect(ImportTable.allows("MooringCommands", importing: "MooringSQLite"))
    }

    @Test("A module of a C target counts as that target")
    func moduleMaps() throws {
        let maps = try ImportTable.moduleMaps()
        #expect(maps["CZlib"] == "CZlib")
        #expect(ImportTable.canonical("FoundationEssentials", moduleMaps: maps) == "Foundation")
        #expect(ImportTable.canonical("Glibc", moduleMaps: maps) == "Glibc")
    }

    @Test("Imports are found behind attributes, access levels and kinds, not in strings")
    func parsing() {
        let text = """
            import A
            package import B
            @preconcurrency public import C
            import struct D.E
            // import F
            let g = "import G"
            #if os(Linux)
                import H
            #endif
            """
        let found = ImportTable.imports(in: SwiftSource(path: "a.swift", text: text))
        #expect(found.map(\.module) == ["A", "B", "C", "D", "H"])
        #expect(found.map(\.line) == [1, 2, 3, 4, 8])
    }

    @Test("A manifest's targets and products are read without running it")
    func manifestParsing() throws {
        let targets = ImportTable.targets(
            inManifest: """
                targets: [
                    .target(name: "A"),  // .target(name: "Z")
                    .target(
                        name: "B",
                        dependencies: [
                            "A", .product(name: "P", package: "q.swift"), .target(name: "C"),
                        ]),
                    .testTarget(name: "ATests", dependencies: ["A"], path: "Tests/A"),
                ]
                """)
        let second = try #require(targets.first { $0.name == "B" })
        #expect(Set(second.dependencies) == ["A", "P", "C"])
        #expect(targets.filter { $0.kind == "testTarget" }.map(\.dependencies) == [["A"]])
        #expect(!targets.contains { $0.name == "Z" })
        #expect(targets.first { $0.name == "ATests" }?.folder == "Tests/A")
        #expect(second.folder == nil)
    }
}
