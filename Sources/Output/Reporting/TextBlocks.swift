import MooringModel

/// The parts of a run's summary in lines of ASCII; a part with nothing to say has no lines, and
/// every other ends with an empty one.
struct TextBlocks {
    /// The layout of all lines.
    let layout: TextLayout
    /// The run.
    let summary: RunSummary
    /// The run in sentences.
    let sentences: RunOverview

    /// The parts of a summary.
    init(_ summary: RunSummary, _ layout: TextLayout) {
        self.summary = summary
        self.layout = layout
        self.sentences = RunOverview(summary)
    }

    /// The verdict over everything, then which run it was, when, and how its scan ended.
    var headline: [String] {
        let verdict = Headline(summary)
        let word = verdict.level.rawValue
        let clauses = VisibleText.ascii(verdict.clauses.joined(separator: "; "))
        var lines = layout.wrapped("\(word): \(clauses).", rest: "  ")
        lines[0] = layout.painted(word, verdict.level.paint) + lines[0].dropFirst(word.utf8.count)
        let command = VisibleText.ascii(Array(summary.command.utf8), width: 16)
        lines += layout.wrapped("Mooring \(command) \(summary.id.text)", first: "", rest: "  ")
        return lines + wrapped(Figures.times(of: summary)) + wrapped(sentences.status)
    }

    /// The program and the configuration that made the run.
    var footer: [String] {
        [
            "Mooring \(summary.programVersion).", "Configuration \(summary.configuration).",
        ].flatMap { layout.wrapped(VisibleText.ascii($0)) }
    }

    /// What changed, what was done, what needs a person and what the rest waits for, and what to do
    /// next.
    var overview: [String] {
        news + done(limit: RunSummary.keptSteps) + needs + waits + gates + next + [""]
    }

    /// What to do next.
    var next: [String] { heading("Next") + sentences.next.flatMap(wrapped) }

    /// A line for each record source, with its problems below.
    var records: [String] {
        guard !summary.records.isEmpty else { return [] }
        var lines = heading("Records")
        for source in summary.records {
            let counts = [
                Figures.counted(source.records, "record"),
                Figures.counted(source.references, "reference"),
            ]
            lines += scan("\(source.name) (\(source.kind))", counts, source.scan)
        }
        return lines + [""]
    }

    /// A line for each bucket, with its problems below.
    var buckets: [String] {
        guard !summary.buckets.isEmpty else { return [] }
        var lines = heading("Buckets")
        for bucket in summary.buckets {
            let objects = Figures.counted(bucket.objects, "object")
            lines += scan(
                "\(bucket.name) (\(bucket.kind))", [objects, Figures.size(bucket.bytes)],
                bucket.scan)
            if bucket.quarantined > 0 {
                let objects = Figures.counted(bucket.quarantined, "object")
                let size = Figures.size(bucket.quarantinedBytes)
                lines += layout.wrapped("    in quarantine: \(objects), \(size)", rest: "      ")
            }
        }
        return lines + [""]
    }

    /// The table of counts.
    var counts: [String] {
        var lines = heading("Findings")
        let isEmpty = !summary.counts.values.contains { $0.total > 0 }
        // A table of fewer columns could not be read.
        guard !isEmpty, layout.width >= 70 else {
            return lines + sentences.found.flatMap(wrapped) + [""]
        }
        lines.append(row("kind", ["settled", "explained", "undecided", "new", "bytes"]))
        for kind in FindingKind.reportOrder {
            guard let count = summary.counts[kind], count.total > 0 else { continue }
            let numbers = [count.settled, count.explained, count.undecided, count.new]
            let line = row(
                kind.rawValue, numbers.map(Figures.grouped) + [Figures.size(count.bytes)])
            let paint = count.settled > 0 ? kind.severity.paint : nil
            lines.append(
                "  " + layout.painted(kind.rawValue, paint)
                    + line.dropFirst(2 + kind.rawValue.utf8.count))
        }
        lines += RunOverview.cost(summary).map(wrapped) ?? []
        return lines + [""]
    }

    /// The guards, each with what it compared; with the hint where it refuses.
    func guards(refusedOnly: Bool) -> [String] {
        let passed = summary.guards.count { !$0.refused }
        guard !summary.guards.isEmpty else { return [] }
        if passed == summary.guards.count, refusedOnly {
            return heading("Guards") + wrapped("all \(Figures.grouped(passed)) passed") + [""]
        }
        let answers = summary.guards.filter { $0.refused || !refusedOnly }
        var lines = heading("Guards")
        for answer in answers {
            let text =
                "\(answer.title): \(answer.value) measured, limit \(answer.limit)"
                + (answer.cause.map { "; likely cause: \($0)" } ?? "")
            let mark = answer.refused ? "REFUSED " : "passed  "
            let rows = layout.wrapped(
                VisibleText.ascii(text), first: "  " + mark, rest: "          ")
            lines += rows.map { line in
                guard answer.refused, line.hasPrefix("  " + mark) else { return line }
                return "  " + layout.painted("REFUSED", .red) + line.dropFirst(9)
            }
            if let hint = answer.hint, answer.refused {
                lines += layout.wrapped(
                    VisibleText.ascii(hint), first: "          ", rest: "          ")
            }
        }
        if refusedOnly, passed > 0 { lines.append("  \(Figures.grouped(passed)) passed") }
        return lines + [""]
    }

    /// The steps by how they ended; nothing where none has.
    var repairs: [String] {
        let repairs = summary.repairs
        guard summary.hasActed else { return [] }
        let text =
            "\(Figures.grouped(repairs.planned)) planned, \(Figures.grouped(repairs.done)) done, "
            + "\(Figures.grouped(repairs.stale)) stale, \(Figures.grouped(repairs.failed)) failed"
        return heading("Repairs") + wrapped(text) + [""]
    }

    /// The sentences that every reader must see.
    var notes: [String] {
        guard !summary.notes.isEmpty else { return [] }
        return heading("Notes") + summary.notes.flatMap(wrapped) + [""]
    }

    /// A heading.
    func heading(_ text: String) -> [String] { [layout.painted(text, .bold)] }

    /// A sentence below a heading.
    func wrapped(_ text: String) -> [String] {
        layout.wrapped(VisibleText.ascii(text), first: "  ", rest: "    ")
    }

    private func scan(
        _ name: String, _ counts: [String], _ scan: ScanResult.Summary
    ) -> [String] {
        let status = scan.complete ? "complete" : "INCOMPLETE"
        let text = (counts + [status]).joined(separator: ", ")
        var lines = layout.wrapped("  \(TextLayout.column(name, 28)) \(text)", rest: "    ")
        let kept = scan.problems.prefix(10)
        for problem in kept {
            lines += layout.wrapped(VisibleText.ascii(problem), first: "    ", rest: "      ")
        }
        if scan.problemCount > kept.count {
            lines.append("    and \(Figures.grouped(scan.problemCount - kept.count)) more problems")
        }
        return lines
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        let first = max(12, min(20, layout.width - 58))
        return "  " + TextLayout.column(name, first)
            + cells.map { TextLayout.column($0, 11, right: true) }.joined()
    }
}
