package import ArgumentParser
import Foundation
import Glibc
package import MooringConfiguration
import MooringModel

/// When something is shown: colours, or progress.
package enum WhenShown: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never

    /// Whether it is shown on a stream; `auto` means on a terminal.
    func isOn(descriptor: Int32) -> Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: isatty(descriptor) == 1
        }
    }
}

extension LogFormat: ExpressibleByArgument {}

extension Engine: ExpressibleByArgument {}

/// The options that every command takes.
package struct CommonOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            "The configuration; ./mooring.yaml, then /etc/mooring/mooring.yaml.",
            valueName: "file"))
    package var config: String?

    @Option(help: ArgumentHelp("Where runs write their reports.", valueName: "dir"))
    package var output: String?

    @Option(
        help: ArgumentHelp(
            "Report formats: \(ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "list"))
    package var format: String?

    @Flag(help: "One JSON document on stdout, and nothing else there.")
    package var json = false

    @Flag(help: "Print only what must be read.")
    package var quiet = false

    @Flag(help: "Print more about each step.")
    package var verbose = false

    @Option(help: ArgumentHelp("Colours: auto, always or never.", valueName: "when"))
    package var color: WhenShown = .auto

    @Option(help: ArgumentHelp("Progress on stderr: auto, always or never.", valueName: "when"))
    package var progress: WhenShown = .auto

    @Option(
        name: .customLong("log-format"),
        help: ArgumentHelp(
            "Lines on stderr: text, or json, an object a line.", valueName: "form"))
    package var logFormat: LogFormat = .text

    @Option(
        help: ArgumentHelp(
            "The memory to aim at: half of it for references, which go to --scratch beyond that.",
            valueName: "size"))
    package var memory: String = "256MiB"

    @Option(
        help: ArgumentHelp(
            "A folder for what is read of stores and for copies of databases: TMPDIR, or /tmp.",
            valueName: "dir"))
    package var scratch: String?

    @Option(
        help: ArgumentHelp(
            "Who does the set work: native or spark; the configuration says it else.",
            valueName: "name"))
    package var engine: Engine?

    @Option(
        name: .customLong("as-of"),
        help: ArgumentHelp("Judge as if now were this time; repairs refuse it.", valueName: "time"))
    package var asOf: String?

    /// Options as they are by default.
    package init() {}

    /// Checks what ArgumentParser cannot.
    package func validate() throws {
        _ = try memoryBytes()
        if let asOf, Instant(iso8601: asOf) == nil {
            throw ValidationError("--as-of needs a time such as 2026-11-21T02:00:00Z")
        }
        _ = try formats()
    }

    /// The bytes of `--memory`.
    func memoryBytes() throws -> Int64 {
        let bytes: Int64
        do { bytes = try Quantity.size(memory) } catch {
            throw ValidationError("--memory \(error)")
        }
        guard bytes >= Self.leastMemory else {
            throw ValidationError("--memory is at least 1MiB; '\(memory)' is less")
        }
        return bytes
    }

    // Below it the join would write its file anew for every few thousand references.
    private static let leastMemory: Int64 = 1 << 20

    /// The folder of `--scratch`, or where the system puts what lasts no longer than a process.
    var scratchFolder: String {
        if let scratch { return scratch }
        let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return temporary.isEmpty ? "/tmp" : temporary
    }

    /// The time of `--as-of`.
    var judgedAt: Instant? { asOf.flatMap { Instant(iso8601: $0) } }

    /// The formats of `--format`; nil when it was not given.
    func formats() throws -> [ReportFormat]? {
        guard let format else { return nil }
        return try format.split(separator: ",").map { name in
            guard let known = ReportFormat(rawValue: String(name)) else {
                let all = ReportFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--format knows \(all); not '\(name)'")
            }
            return known
        }
    }

    /// Refuses `--as-of` for a command that acts.
    func refuseAsOf() throws {
        if asOf != nil {
            throw ValidationError("--as-of is for looking only; a repair acts now or not at all")
        }
    }
}

/// The option of commands that let a guard be accepted in words.
package struct AcceptOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp(
            """
            Accept a guard's number at a place, as in orphanShare:media=12%; over half with the \
            run that was reviewed, as in orphanShare:media=60%@RUN; may be repeated.
            """,
            valueName: "guard:place=value"))
    package var accept: [String] = []

    /// Nothing accepted.
    package init() {}

    /// Checks what ArgumentParser cannot.
    package func validate() throws { _ = try acceptance() }
}
