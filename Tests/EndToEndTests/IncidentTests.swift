import Testing

/// What the doctor says beforehand of questions that could not be answered later.
@Suite("doctor: what could be told after an incident")
struct IncidentTests {
    @Test("A folder and a database are told in a line each, below the checks; no status changes")
    func folder() throws {
        let app = try App()
        try app.healthy()
        let first = try app.expect(0, "doctor").output
        let lines = first.split(separator: "\n").map(String.init)
        let start = try #require(lines.firstIndex(of: "In an incident:"))
        let told = Array(lines[(start + 1)...])
        #expect(told.count == 4, "\(told)")
        #expect(told[0].hasPrefix("no      records of app: "), "\(told)")
        #expect(told[1].hasPrefix("no      files of media: "), "\(told)")
        #expect(told[2].hasPrefix("no      audits: no complete audit is kept"), "\(told)")
        #expect(told[3].contains("for 90d (report.keep)"), "\(told)")
        try app.expect(0, "audit", "--quiet")
        try app.expect(0, "audit", "--quiet")
        let later = try app.expect(0, "doctor", "--json").json()["incident"].elements
        #expect(later.map { $0["answer"].string } == ["no", "no", "yes", "yes"])
        #expect(later[2]["name"].string == "audits")
        #expect(later[2]["detail"].string?.hasPrefix("2 complete ones since 2") == true)
        #expect(try app.expect(0, "doctor", "--quiet").output == "")
    }

    @Test("A store that cannot be read is asked no further question")
    func unreached() throws {
        let app = try App()
        try app.healthy()
        try app.database.run("DROP TABLE Post")
        let json = try app.expect(2, "doctor", "--json").json()
        let records = json["incident"][0]
        #expect(records["answer"].string == "unknown")
        #expect(records["detail"].string == "not asked: it could not be read, see above")
    }
}
