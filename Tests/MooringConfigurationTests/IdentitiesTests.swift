import MooringModel
import Testing

@testable import MooringConfiguration

struct IdentitiesTests {
    private static let id = "eu-west-1:0f4b5a0e-1111-2222-3333-44445555aaaa"

    private func map(_ text: String) throws -> IdentityMap {
        try IdentitiesReader.map(Array(text.utf8), file: "m.csv")
    }

    private func resolve(_ map: IdentityMap, _ value: String) -> String? {
        map.identity(of: Array(value.utf8)).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a sub, and a sub with a name behind it, mean the user's identity")
    func users() throws {
        let map = try map("\u{FEFF}sub,identity\r\nu1,\(Self.id)\r\n\nu2,eu-west-1:x\n")
        #expect(map.count == 2)
        #expect(resolve(map, "u1") == Self.id)
        #expect(resolve(map, "u1::Some::Name") == Self.id)
        #expect(resolve(map, "u2") == "eu-west-1:x")
    }

    @Test("what is an identity id means itself, and whatever else is not known means none")
    func unknown() throws {
        let map = try map("sub,identity\nu1,\(Self.id)\nu3,a:1\nu3,a:2\nu3,a:1\n")
        let other = "us-east-1:0F4B5A0E-1111-2222-3333-444455556666"
        #expect(resolve(map, other) == other)
        for value in ["u9", "u9::u1", "u1:", ":u1", "::", "", "[\"u1\"]", "u3", "u3::x", "U1"] {
            #expect(resolve(map, value) == nil, "\(value)")
        }
    }

    @Test(
        "a file that is no map is refused with its line",
        arguments: [
            ("", "m.csv:1: needs the header sub,identity"),
            ("u1,x\n", "m.csv:1: needs the header sub,identity"),
            ("sub,identity\nu1\n", "m.csv:2: needs a sub, a comma and an identity id"),
            ("sub,identity\nu1,\n", "m.csv:2: needs a sub"),
            ("sub,identity\n\"u1\",x\n", "m.csv:2: needs a sub"),
            ("sub,identity\na,r:b\na,r:b,c\n", "m.csv:3: needs a sub"),
            ("sub,identity\nu1, r:b\n", "m.csv:2: needs a sub"),
            ("sub,identity\nu1,r:b \n", "m.csv:2: needs a sub"),
            ("sub,identity\nu1,NULL\n", "m.csv:2: needs a sub"),
            ("sub,identity\nu1,\\N\n", "m.csv:2: needs a sub"),
        ])
    func refused(text: String, expected: String) {
        do {
            _ = try map(text)
            Issue.record("accepted")
        } catch {
            #expect("\(error)".hasPrefix(expected), "\(error)")
        }
    }

    @Test("models that name an identity get the map, and its content is part of the fingerprint")
    func configured() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("m.csv", Array("sub,identity\nu1,a:1\n".utf8))
        let text = Sample.model("identity: owner") + "\nidentities: {file: \(path)}"
        let first = try Sample.read(text)
        #expect(first.records[0].mapping.models[0].identities?.count == 1)
        #expect(try Sample.read(Sample.minimal).records[0].mapping.models[0].identities == nil)
        _ = try folder.write("m.csv", Array("sub,identity\nu1,a:2\n".utf8))
        #expect(try Sample.read(text).fingerprint != first.fingerprint)
        let gone = Sample.minimal + "\nidentities: {file: /none.csv}"
        #expect(Sample.refusal(gone).contains("/none.csv: cannot be opened"))
        #expect(Sample.refusal(Sample.minimal + "\nidentities: {}").contains("'file' is missing"))
    }
}
