import Testing

@Suite("Identities: a map of users, and what nobody's record knows")
struct IdentityTests {
    private static let mine = "eu-west-1:0f4b5a0e-1111-2222-3333-44445555aaaa"
    private static let lost = "eu-west-1:0f4b5a0e-1111-2222-3333-44445555bbbb"

    private func folder(map: String?) throws -> Folder {
        let folder = try Folder()
        try folder.write(
            "mooring.yaml",
            """
            version: 1
            records:
              - name: app
                sqlite: ./app.sqlite
                models:
                  - model: Song
                    identity: owner
                    files: [{field: cover, level: private}]
            buckets: [{name: files, directory: ./files}]
            race: {preset: testing}
            limits: {orphanShare: 100%, recordShare: 100%, objectDrop: 100%}
            \(map == nil ? "" : "identities: {file: users.csv}")
            """)
        if let map { try folder.write("users.csv", "sub,identity\n" + map) }
        let database = try Database(folder.path + "/app.sqlite")
        try database.run("CREATE TABLE Song (id TEXT PRIMARY KEY, owner TEXT, cover TEXT)")
        try database.run("INSERT INTO Song VALUES ('s1', 'sub-1::Ann', 'a'), ('s2', 'sub-2', 'b')")
        for identity in [Self.mine, Self.lost] {
            for name in ["a", "b", "c"] {
                try folder.write("files/private/\(identity)/\(name)", "1234567", age: Age.old)
            }
        }
        return folder
    }

    private func orphans(_ folder: Folder) throws -> Set<String> {
        let audit = try Program.run(["audit"], in: folder.path)
        #expect(audit.status == 0, "\(audit.told)")
        let found = try Program.run(["findings", "--kind", "orphan", "--json"], in: folder.path)
        let keys = try found.json()["findings"].elements.compactMap { $0["key"].string }
        return Set(
            keys.map { $0.replacing("private/\(Self.mine)", with: "mine") }
                .map { $0.replacing("private/\(Self.lost)", with: "lost") })
    }

    @Test("a user in the map means one identity; one that is not there may mean every one")
    func resolved() throws {
        let folder = try folder(map: "sub-1,\(Self.mine)\n")
        #expect(try orphans(folder) == ["lost/a", "mine/c", "lost/c"])
    }

    @Test("a user with two identities protects the files of both")
    func several() throws {
        let folder = try folder(map: "sub-1,\(Self.mine)\nsub-1,\(Self.lost)\n")
        #expect(try orphans(folder) == ["mine/c", "lost/c"])
    }

    @Test("findings --by identity sums the orphans of identities that no record knows")
    func sums() throws {
        let folder = try folder(map: "sub-1,\(Self.mine)\nsub-2,\(Self.mine)\n")
        #expect(try orphans(folder) == ["lost/a", "lost/b", "lost/c", "mine/c"])
        let told = try Program.run(["findings", "--by", "identity"], in: folder.path)
        #expect(told.status == 0, "\(told.told)")
        #expect(told.output.contains(Self.lost) && !told.output.contains(Self.mine))
        #expect(told.output.contains("identities that no record knows: 1"))
        let json = try Program.run(["findings", "--by", "identity", "--json"], in: folder.path)
            .json()["identities"].elements
        #expect(json.count == 1)
        #expect(json.first?["identity"].string == Self.lost)
        #expect(json.first?["count"].integer == 3)
        #expect(json.first?["bytes"].integer == 21)
    }

    @Test("a map that cannot be read ends every command before anything is done")
    func refused() throws {
        let folder = try folder(map: "sub-1\n")
        let audit = try Program.run(["audit"], in: folder.path)
        #expect(audit.status == 78)
        #expect(audit.errors.contains("users.csv:2: needs a sub, a comma and an identity id"))
        #expect(!folder.exists("mooring.ledger"))
    }
}
