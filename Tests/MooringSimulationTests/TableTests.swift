import MooringSimulation
import Testing

/// The two tables of Docs/SIMULATOR.md, cell by cell: what each auditor loses in each scenario.
@Suite("The tables of losses")
struct TableTests {
    private static let removals = """
        auditor                 create reuse stale-write-back replace-stale remove-reupload \
        delete-replace relink
        list-scan-delete        lost   lost  lost             lost          lost            \
        safe           lost
        grace                   safe   lost  lost             lost          lost            \
        safe           lost
        requery                 safe   lost  lost             lost          lost            \
        safe           lost
        conditional             safe   safe  lost             lost          safe            \
        safe           lost
        two-runs                safe   safe  safe             safe          safe            \
        safe           lost
        quarantine              safe   safe  safe             safe          safe            \
        safe           lost
        full                    safe   safe  safe             safe          safe            \
        safe           safe
        settled-unconditional   safe   lost  safe             safe          lost            \
        safe           lost
        settled-one-run-delete  safe   safe  safe             safe          safe            \
        safe           lost
        """
    private static let nullings = """
        nulling               create  remove-reupload  delete-replace  heal
        list-scan-null        nulled  nulled           nulled          nulled
        scan-list-null        safe    nulled           nulled          nulled
        sandwich-null         safe    safe             nulled          nulled
        sandwich-conditional  safe    safe             safe            nulled
        full-null             safe    safe             safe            safe
        """

    private func cells(_ table: String) -> [(audit: String, scenario: String, word: String)] {
        let rows = table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let names = rows[0].dropFirst()
        return rows.dropFirst().flatMap { row in
            zip(names, row.dropFirst()).map { (audit: row[0], scenario: $0, word: $1) }
        }
    }

    private func check(_ table: String, _ protocols: [AuditProtocol]) throws {
        let cells = cells(table)
        #expect(Set(cells.map(\.audit)) == Set(protocols.map(\.name)))
        for cell in cells {
            let audit = try #require(protocols.first { $0.name == cell.audit })
            let result = try #require(Scenario.named(cell.scenario)).explore(audit)
            let word = result.violation?.word ?? (result.isComplete ? "safe" : "not explored")
            #expect(word == cell.word, "\(cell.audit), \(cell.scenario)")
        }
    }

    @Test("removals: every cell is as the page has it")
    func removalTable() throws { try check(Self.removals, AuditProtocol.removals) }

    @Test("nullings: every cell is as the page has it")
    func nullingTable() throws { try check(Self.nullings, AuditProtocol.nullings) }

    @Test("a loss is told as the steps that lead to it, and replays")
    func trace() throws {
        let scenario = try #require(Scenario.named("reuse"))
        let audit = try #require(AuditProtocol.named("requery"))
        let result = scenario.explore(audit)
        var (world, setting) = scenario.start(audit)
        let lines = Narrator(world, setting).tell(result.trace)
        #expect(
            lines == [
                "   0  auditor begins run 1",
                "   0  auditor has listed the objects",
                "   0  auditor reads the record (pass A); it will remove K",
                "   0  auditor reads the owner of K",
                "   0  auditor looks at K",
                "   0  device 1 (reuse) uploads K",
                "   0  auditor deletes K",
                "   0  device 1 (reuse) sets the field of record 0 to K",
                "      lost: record 0 references K, which the auditor removed for good",
            ])
        for choice in result.trace {
            let happened = world.apply(choice, setting)
            #expect(happened)
        }
        #expect(world.violation == result.violation)
        // No shorter sequence of these choices does it.
        let shrunk = Shrinker(start: scenario.start(audit).0, setting: setting, word: "lost")
            .shrink(result.trace)
        #expect(shrunk == result.trace)
    }
}
