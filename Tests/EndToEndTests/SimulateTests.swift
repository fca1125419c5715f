import Foundation
import Testing

@Suite("The simulator, as a user runs it")
struct SimulateTests {
    private func simulate(_ status: Int32, _ words: String...) throws -> Program.Result {
        let result = try Program.run(
            ["simulate"] + words, in: "/tmp", environment: ["COLUMNS": "80"])
        #expect(result.status == status, "\(result.told)")
        return result
    }

    /// A block of the simulator's page, behind its mark.
    private func block(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(
            contentsOf: root.appending(path: "Docs/SIMULATOR.md"), encoding: .utf8)
        return try #require(
            page.components(separatedBy: "<!-- output: \(name) -->\n```\n").dropFirst().first?
                .components(separatedBy: "```").first)
    }

    @Test("The page shows the tables that it prints, within 80 columns")
    func tables() throws {
        let printed = try simulate(0, "--exhaustive").output
        #expect(printed == (try block("simulate")) + "\n")
        #expect(printed.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 })
    }

    @Test("The page shows the trace that it prints")
    func trace() throws {
        let words = ["--scenario", "reuse", "--protocol", "requery", "--trace"]
        let result = try simulate(1, words[0], words[1], words[2], words[3], words[4])
        #expect(
            "$ mooring simulate \(words.joined(separator: " "))\n" + result.output
                == (try block("trace")) + "\n")
    }

    @Test("JSON holds every cell under the page's names, and nothing else is printed")
    func json() throws {
        let document = try simulate(0, "--exhaustive", "--json").json()
        #expect(
            document.names == [
                "conditional", "full", "full-null", "grace", "list-scan-delete", "list-scan-null",
                "quarantine", "requery", "sandwich-conditional", "sandwich-null",
                "scan-list-null", "settled-one-run-delete", "settled-unconditional", "two-runs",
            ])
        #expect(document["grace"]["reuse"].string == "lost")
        #expect(document["two-runs"]["stale-write-back"].string == "safe")
        #expect(document["sandwich-null"]["heal"].string == "nulled")
        #expect(document["full"].names.count == 7)
        let one = try simulate(1, "--exhaustive", "--json", "--protocol", "grace").json()
        #expect(one.names == ["grace"])
    }

    @Test("Seeds of the full protocol end with 0, a weakened one's with 1 and how to replay it")
    func seeds() throws {
        let kept = try simulate(0, "--seeds", "5", "--devices", "4", "--runs", "6")
        #expect(kept.output.contains("full: 5 seeds from 1, "))
        #expect(kept.output.contains("every promise kept"))
        let lost = try simulate(1, "--seeds", "50", "--protocol", "list-scan-delete")
        #expect(lost.output.hasPrefix("seed 1: lost: "))
        #expect(
            lost.output.contains(
                "replay: mooring simulate --seed 1 --protocol list-scan-delete --devices 8"))
        let replayed = try simulate(
            1, "--seed", "1", "--protocol", "list-scan-delete", "--trace")
        #expect(replayed.output.hasPrefix(lost.output))
        #expect(replayed.output.contains("which the auditor removed for good"))
    }

    @Test("Seeds and safeguards as JSON")
    func otherDocuments() throws {
        let kept = try simulate(0, "--seed", "9", "--json").json()
        #expect(kept["seeds"].integer == 1)
        #expect(kept["firstSeed"].string == "9")
        #expect(kept["violation"].isNull)
        let lost = try simulate(
            1, "--seeds", "9", "--json", "--protocol", "list-scan-delete"
        ).json()
        #expect(lost["violation"]["seed"].string == "1")
        #expect(lost["violation"]["word"].string == "lost")
        let list = try simulate(0, "--safeguards", "--json").json()
        #expect(list["young-upload"]["without grace"].string == "missing")
        #expect(list.names.allSatisfy { list[$0]["full"].string == "safe" })
    }

    @Test("Names that do not exist are wrong usage, and the ones that do are listed")
    func usage() throws {
        #expect(try simulate(64, "--protocol", "x").errors.contains("list-scan-delete"))
        #expect(try simulate(64, "--scenario", "x").errors.contains("stale-write-back"))
        #expect(try simulate(64, "--json", "--trace").errors.contains("not both"))
        _ = try simulate(64, "--devices", "0")
        _ = try simulate(64, "--seeds", "1", "--seconds", "1")
    }
}
