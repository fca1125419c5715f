import MooringModel
import Testing

@testable import MooringReporting

/// A run's first sentence, and the lists below it that people act on.
@Suite("Headline") struct HeadlineTests {
    private static let quiet: RunSummary = {
        var summary = SampleRun.summary
        (summary.counts, summary.guards, summary.gates) = ([:], [], [])
        (summary.change, summary.waiting) = (nil, [])
        return summary
    }()

    private static func counted(_ settled: Int, _ bytes: Int64 = 0) -> RunSummary.Count {
        var count = RunSummary.Count()
        count.settled = settled
        count.bytes = bytes
        return count
    }

    @Test("A run without findings is well, and says what that means")
    func well() {
        let headline = Headline(Self.quiet)
        #expect(headline.sentence() == "OK: every reference has its object")
        var orphans = Self.quiet
        orphans.counts = [.orphan: Self.counted(80_000, 3 << 30)]
        orphans.waiting = [SampleRun.waiting(.orphan, .ready, 1_204)]
        #expect(
            Headline(orphans).sentence(", ")
                == "OK: every reference has its object, 80,000 orphans, 3.0 GiB, 1,204 removable")
    }

    @Test("What broke since the run before comes first, with all that is broken")
    func broken() {
        var summary = Self.quiet
        summary.counts = [.dangling: Self.counted(42_353), .shared: Self.counted(2)]
        #expect(
            Headline(summary).sentence()
                == "ATTENTION: 42,353 dangling references \u{B7} 2 other findings")
        let since = RunID(startingAt: SampleRun.start - .days(1))
        summary.change = .init(since: since, new: [.dangling: 31, .orphan: 4], gone: [:])
        #expect(
            Headline(summary).clauses[0]
                == "31 references broke since 2026-11-20 02:00 UTC (42,353 in all)")
        summary.change = .init(since: since, new: [.orphan: 4], gone: [.dangling: 1])
        #expect(
            Headline(summary).clauses[0]
                == "42,353 dangling references, none new since 2026-11-20 02:00 UTC")
        summary.counts[.orphan] = Self.counted(9)
        #expect(Headline(summary).clauses[1] == "9 orphans (4 new), 0 B, 0 removable")
    }

    @Test("References that a device may still explain are no alarm")
    func explained() {
        var summary = Self.quiet
        var count = RunSummary.Count()
        count.explained = 3
        summary.counts = [.dangling: count]
        #expect(Headline(summary).sentence() == "OK: 3 dangling references, all explained")
        count.undecided = 1
        summary.counts = [.dangling: count]
        #expect(Headline(summary).sentence() == "OK: 4 dangling references")
    }

    @Test("What was done stands there, and nothing is called removable that was just removed")
    func acted() throws {
        var summary = Self.quiet
        summary.counts = [.orphan: Self.counted(3, 12)]
        summary.waiting = [SampleRun.waiting(.orphan, .ready, 3)]
        summary.repairs.done = 2
        summary.repairs.failed = 1
        #expect(
            Headline(summary).sentence()
                == "ATTENTION: every reference has its object \u{B7} 3 orphans, 12 B \u{B7} "
                + "2 steps done, 1 left undone \u{B7} 1 needs you")
        #expect(RunOverview(summary).waits == [])
        summary.done = [
            try SampleRun.step(.quarantine, "a", .done),
            try SampleRun.step(.quarantine, "b", .failed, reason: "no space"),
        ]
        let text = TextReport.overview(
            summary, samples: [], TextReport.OverviewOptions(color: false, width: 80))
        let lines = text.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex(of: "Done"))
        #expect(lines[place + 1] == "  failed    quarantine    b: no space")
        #expect(lines[place + 2] == "  done      quarantine    a")
        #expect(lines[place + 3] == "  ... and 1 more")
        #expect(
            lines[place + 4] == "  to take it back: mooring undo \(summary.id.text) --apply")
        summary.counts[.dangling] = Self.counted(1)
        summary.repairs.failed = 0
        #expect(Headline(summary).level == .attention)
        summary.done.append(try SampleRun.step(.nullify, "c", .done))
        summary.done.removeAll(where: \.isLeftUndone)
        #expect(
            Headline(summary).sentence().hasPrefix("OK: 1 dangling reference, before its repairs"))
        summary.repairs.failed = 1
        let told = TextReport.overview(
            summary, samples: [],
            TextReport.OverviewOptions(color: false, width: 80, toldSteps: true))
        #expect(!told.contains("\nDone\n"))
        #expect(
            TextReport.lastLine(summary, color: false)
                == "ATTENTION 4 findings, 2 done, 1 undone in 1m12s")
    }

    @Test(
        "A run that did not end well is no news of the data",
        arguments: [
            (RunSummary.Status.failed, "FAILED: why"),
            (.interrupted, "INTERRUPTED: the run was stopped before its end"),
            (.running, "RUNNING: the run has not ended"),
            (.incomplete, "INCOMPLETE: a side was not read to its end, so nothing is proved"),
        ])
    func unfinished(status: RunSummary.Status, begins: String) {
        var summary = Self.quiet
        summary.status = status
        summary.reason = "why"
        #expect(Headline(summary).sentence().hasPrefix(begins))
        #expect(!Headline(summary).sentence().contains("has its object"))
    }

    @Test("A person is needed where time and policy decide nothing, each with the next command")
    func needs() {
        var summary = Self.quiet
        summary.gates = SampleRun.summary.gates
        summary.guards = SampleRun.summary.guards
        summary.waiting = [
            SampleRun.waiting(.orphan, .undecided, 9),
            SampleRun.waiting(.dangling, .undecided, 1),
            SampleRun.waiting(.exposed, .hand, 2),
            SampleRun.waiting(.shared, .hand, 5),
        ]
        let run = summary.id.text
        #expect(
            RunOverview.needs(summary) == [
                "orphanShare:media refuses: 0.004% measured, the limit is 0.001%; likely cause: "
                    + "3 of 3 lie under identities that no record knows; review the orphans; "
                    + "to accept it: mooring plan --accept orphanShare:media=0.01%",
                "gate FAILED: dangling.settled == 0 (is 1)",
                "10 undecided, with the doubt beside each: 'mooring findings --run \(run) "
                    + "--verdict undecided --verbose' (1 dangling, 9 orphan)",
                "2 for a person to mend: 'mooring findings --run \(run) --kind exposed' "
                    + "(2 exposed)",
            ])
        #expect(Headline(summary).clauses.last == "4 need you")
        summary.records[0].scan.complete = false
        summary.records[0].scan.problems = ["row 7 is cut short"]
        summary.status = .incomplete
        #expect(
            RunOverview.needs(summary).first
                == "record source app was not read to its end: row 7 is cut short")
        #expect(RunOverview.needs(summary).count == 2)
    }

    @Test("Nothing can be repaired now where no plan is made")
    func unplanned() {
        var summary = Self.quiet
        summary.counts = [.orphan: Self.counted(3, 12)]
        summary.waiting = [SampleRun.waiting(.orphan, .ready, 3)]
        #expect(RunOverview(summary).waits == ["3 can be repaired now (3 orphan)"])
        var refused = summary
        refused.guards = SampleRun.summary.guards
        var asOf = summary
        asOf.notes = [RunSummary.asOfNote + "2026-11-21T02:00:00Z"]
        var acted = summary
        acted.repairs.done = 1
        for run in [refused, asOf, acted] {
            #expect(RunOverview(run).waits == [])
            #expect(!Headline(run).sentence().contains("removable"))
        }
    }

    @Test("A key that can be none leaves no room for the claim that all is well")
    func invalid() {
        var summary = Self.quiet
        summary.counts = [.invalidKey: Self.counted(1)]
        #expect(Headline(summary).sentence() == "OK: 1 other finding")
    }

    @Test("A run that scanned nothing says so, and not that nothing is wrong")
    func notScanned() {
        var summary = Self.quiet
        (summary.command, summary.records, summary.buckets) = ("undo", [], [])
        summary.repairs.done = 2
        let text = TextReport.render(summary, findings: [])
        #expect(text.contains("The run has ended; it scanned no side."))
        #expect(!text.contains("Both sides") && !text.contains("Nothing"))
        #expect(!text.contains("has its object"))
        #expect(text.contains("'mooring audit' tells what is there now."))
    }

    @Test("Half a scan passes no gate, and fails none")
    func notJudged() {
        var summary = Self.quiet
        summary.status = .incomplete
        summary.gates = SampleRun.summary.gates
        for place in summary.gates.indices { summary.gates[place].passed = false }
        let text = TextReport.news(summary, width: 100) ?? ""
        #expect(
            text.contains(
                "  gate not judged: dangling.settled == 0, since a side was not read to its end\n"))
        #expect(!text.contains("gate passed") && !text.contains("gate FAILED"))
    }

    @Test("What waits says for what and until when")
    func waits() {
        var late = SampleRun.waiting(.orphan, .explained, 2, days: 3)
        late.first = SampleRun.start
        var summary = Self.quiet
        summary.waiting = [
            SampleRun.waiting(.orphan, .ready, 2),
            SampleRun.waiting(.orphan, .proof, 1, proof: "second sighting", days: 3),
            SampleRun.waiting(.dangling, .proof, 5, proof: "second sighting", days: 3),
            SampleRun.waiting(.dangling, .proof, 1, proof: "relink: never"), late,
            SampleRun.waiting(.orphan, .policy, 4),
        ]
        #expect(
            RunOverview(summary).waits == [
                "2 can be repaired now (2 orphan)",
                "6 wait for second sighting, until 2026-11-24 02:00 UTC (5 dangling, 1 orphan)",
                "1 wait for relink: never (1 dangling)",
                "2 explained: a device may still be the reason, the first until "
                    + "2026-11-21 02:00 UTC, the last until 2026-11-24 02:00 UTC (2 orphan)",
                "4 kept by the policy (4 orphan)",
            ])
    }

    @Test("A plan says of everything but its own steps why it is not in it")
    func leftOut() {
        var summary = Self.quiet
        summary.waiting = [
            SampleRun.waiting(.orphan, .ready, 2),
            SampleRun.waiting(.orphan, .policy, 4),
            SampleRun.waiting(.dangling, .undecided, 1),
            SampleRun.waiting(.shared, .hand, 1),
        ]
        let lines = TextReport.leftOut(summary, width: 120)
        #expect(lines[0] == "Why not more")
        #expect(lines[1] == "  4 kept by the policy (4 orphan)")
        #expect(lines[2].hasPrefix("  1 undecided, with the doubt beside each: 'mooring findings"))
        #expect(!lines.joined().contains("repaired now") && !lines.joined().contains("shared"))
        summary.waiting = [SampleRun.waiting(.orphan, .ready, 2)]
        #expect(TextReport.leftOut(summary, width: 80).isEmpty)
    }

    @Test("A night without news prints nothing, whatever stands since long")
    func news() {
        var summary = Self.quiet
        summary.counts = [.dangling: Self.counted(42_353)]
        #expect(TextReport.news(summary, width: 80)?.contains("42,353 dangling references") == true)
        let since = RunID(startingAt: SampleRun.start - .days(1))
        summary.change = .init(since: since, new: [:], gone: [.dangling: 2])
        #expect(TextReport.news(summary, width: 80) == nil)
        var changed = summary
        changed.change?.new = [.dangling: 1]
        var acted = summary
        acted.repairs.done = 1
        var refused = summary
        refused.guards = SampleRun.summary.guards
        var failed = summary
        failed.gates = SampleRun.summary.gates
        var incomplete = summary
        incomplete.status = .incomplete
        for told in [changed, acted, refused, failed, incomplete] {
            #expect(TextReport.news(told, width: 80) != nil)
        }
    }
}

@Suite("Steps that a report tells") struct KeptStepTests {
    @Test("What was left undone takes the room of what was done, and no more is kept")
    func room() throws {
        var summary = SampleRun.summary
        for number in 0..<RunSummary.keptSteps {
            summary.keep(try SampleRun.step(.quarantine, "done \(number)", .done))
        }
        summary.keep(try SampleRun.step(.quarantine, "late", .done))
        summary.keep(try SampleRun.step(.quarantine, "stale", .stale))
        #expect(summary.done.count == RunSummary.keptSteps)
        #expect(summary.done.last?.key == ObjectKey("stale"))
        #expect(summary.done.first?.key == ObjectKey("done 0"))
        #expect(!summary.done.contains { $0.key == ObjectKey("late") })
        #expect(!summary.done.contains { $0.key == ObjectKey("done 99") })
    }

    @Test("What was erased on request, or has not ended, is not told")
    func erased() {
        var entry = JournalEntry(
            run: SampleRun.runID, plan: nil,
            step: PlanStep(
                id: "s", hash: "", strategy: .quarantine, finding: "f", bucket: "media",
                key: ObjectKey("private/x"), record: nil, precondition: Precondition()),
            intendedAt: SampleRun.start)
        #expect(RunSummary.EndedStep(entry) == nil)
        entry.outcome = .done
        #expect(RunSummary.EndedStep(entry)?.canBeUndone == true)
        entry.undoes = 4
        #expect(RunSummary.EndedStep(entry)?.canBeUndone == false)
        entry.erasedBy = SampleRun.runID
        #expect(RunSummary.EndedStep(entry) == nil)
    }
}
