import Testing

@Suite("The program")
struct VersionTests {
    @Test("tells its version")
    func version() throws {
        let result = try Program.run(
            ["--version"], in: "/tmp")
        #expect(result.status == 0)
        #expect(result.output == "0.1.0\n")
    }
}
