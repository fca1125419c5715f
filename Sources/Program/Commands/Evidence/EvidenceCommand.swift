import ArgumentParser
import MooringDecisions
import MooringFiles
import MooringModel
import MooringReporting

/// `mooring evidence`: one archive for an incident, and the proof that nobody changed it.
struct EvidenceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "evidence",
        abstract: "Put all that an incident needs into one archive, and verify it.",
        usage: """
            mooring evidence <run-or-key> [--output <file>] [<options>]
            mooring evidence verify <file> [--json] [--quiet]
            """,
        discussion: """
            The archive (gzip'd tar, readable by its owner alone) holds the run's report, \
            findings and plans, its entries of the journal with the hash chain up to the head, \
            the configuration without secrets, what is known of the stores, the runs around it, \
            versions, and a manifest with the SHA-256 of each. Of a key or record it holds what \
            every run found about it and every repair of it, and nobody else's findings. The \
            ledger is only read, and an existing file is never replaced.

            HANDLE THE FILE LIKE THE DATABASE: entries of record writes hold the row's columns \
            as they were (base64), the personal data of users included.

            \(ExitStatus.help(ExitStatus.ofReading))
            """,
        subcommands: [EvidenceWriteCommand.self, EvidenceVerifyCommand.self],
        defaultSubcommand: EvidenceWriteCommand.self)
}

/// `mooring evidence RUN`: writes the archive.
struct EvidenceWriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Write the archive of a run, or of an object or record (the default).",
        usage: "mooring evidence <run-or-key> [--output <file>] [<options>]",
        discussion: """
            RUN-OR-KEY is a run (its name, the beginning of it, or 'latest'), or whatever names \
            an object or record that the ledger tells of, as explain takes it. --output names \
            the new file: by default mooring-evidence-RUN.tar.gz in this folder. Where the \
            journal is not what was written, the archive is written all the same, and the status \
            is 2.

            \(ExitStatus.help(ExitStatus.ofReading))
            """)

    @Argument(help: "The run, or the key or record.")
    var subject: String

    @OptionGroup var options: CommonOptions

    func run() async throws {
        try await ending {
            let session = try Session(options)
            let ledger = try session.existingLedger()
            let scope = try EvidenceScope(subject, session, ledger)
            let path = options.output ?? "mooring-evidence-\(scope.run.id.text).tar.gz"
            let archive = EvidenceArchive(session: session, ledger: ledger, scope: scope)
            let written: (manifest: EvidenceManifest, digest: String)
            do {
                written = try archive.write(to: path)
            } catch let error as WriteFailure {
                throw CommandError("\(VisibleText.ascii(path)): \(error.reason)")
            }
            tell(written.manifest, written.digest, path)
            if let first = written.manifest.journalBreaks.first {
                StandardError.report(first + "; the archive holds the journal as it is")
                return .error
            }
            return .done
        }
    }

    private func tell(_ manifest: EvidenceManifest, _ digest: String, _ path: String) {
        if options.json {
            StandardOutput.document(
                .members([
                    "file": .string(path), "sha256": .string(digest), "manifest": manifest.json,
                ]))
            return
        }
        if options.quiet { return }
        let about = manifest.subject.map { " about " + $0 } ?? ""
        StandardOutput.line(
            "evidence of run \(manifest.run.text)\(about): "
                + "\(Measure.count(manifest.members.count, "file")) in \(VisibleText.ascii(path))")
        StandardOutput.line(manifest.headLine)
        StandardOutput.line("next: mooring evidence verify " + Self.word(path))
        StandardOutput.line("keep elsewhere: sha256 \(digest)")
    }

    // The file as a shell takes it; its place alone where it has what nobody can read or paste.
    private static func word(_ path: String) -> String {
        guard let text = ShellWord.printable(Array(path.utf8)) else { return "FILE" }
        return ShellWord.quoting(text.hasPrefix("-") ? "./" + text : text)
    }
}

/// `mooring evidence verify FILE`: compares an archive with its own manifest.
struct EvidenceVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Verify an archive of evidence; needs no configuration and no ledger.",
        usage: "mooring evidence verify <file> [--json] [--quiet]",
        discussion: """
            Compares every file of the archive with the manifest, the entries of the journal with \
            the hash chain, the chain with its head, and what the report counts with the \
            findings and entries that are there. Nothing is unpacked. The head covers the \
            journal's entries alone; the rest is held by the manifest's hashes, and whoever can \
            rewrite the file can make those anew. Keep the head and the file's own SHA-256, \
            which evidence prints, elsewhere, and compare them.

            \(Self.statuses)
            """)

    private static let statuses = """
        EXIT STATUS
          0    everything is as it was written
          2    something is not, or the file cannot be read
          64   wrong usage
        """

    @Argument(help: "The archive.")
    var file: String

    @Flag(help: "One JSON document on stdout, and nothing else there.")
    var json = false

    @Flag(help: "Print only what must be read.")
    var quiet = false

    func run() async throws {
        try await ending {
            let outcome = EvidenceCheck.run(file)
            if json {
                StandardOutput.document(outcome.json(file: file))
            } else if !quiet {
                for line in outcome.lines { StandardOutput.line(line) }
            }
            for fault in outcome.faults {
                StandardError.report("\(VisibleText.ascii(file)): \(fault)")
            }
            return outcome.faults.isEmpty ? .done : .error
        }
    }
}

extension EvidenceManifest {
    /// The head of the chain, for people to keep.
    var headLine: String { "head: link \(head.links), \(head.hashText)" }
}
