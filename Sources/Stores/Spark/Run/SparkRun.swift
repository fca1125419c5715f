import Dispatch
import Glibc
import MooringModel
import MooringText

/// One run of Spark: submits a program, tells how far it is, and waits for its end.
struct SparkRun: Sendable {
    /// How Spark is reached.
    let place: SparkPlace
    /// What the program is started with.
    let environment: [String: String]
    /// Whether somebody wants an end before it comes.
    let isInterrupted: @Sendable () -> Bool
    /// Is told how many of the statements are done.
    let advance: @Sendable (_ done: Int) -> Void

    /// Runs a program that lies in a folder, where its log is kept beside it, and gives what it
    /// cost, where it says so. Throws `NarrowingFailure`, or `CancellationError` where somebody
    /// wanted an end.
    func run(_ name: String, in folder: String) async throws -> SparkCost? {
        guard let program = Self.program(place.submit, environment) else {
            throw Self.missing(place.submit)
        }
        let (output, log) = ("\(folder)/\(name).out", "\(folder)/\(name).log")
        let status = try await withCheckedThrowingContinuation { continuation in
            // A thread of its own: it waits for hours.
            DispatchQueue.global().async {
                continuation.resume(
                    with: Result {
                        try wait(program, words("\(folder)/\(name).py"), output, log)
                    })
            }
        }
        guard status == 0 else { throw failure(status, output, log) }
        return Self.text(of: output).flatMap(SparkCost.init(printed:))
    }

    // What stages and tasks write is packed twice as tightly as by Spark's own choice, at a
    // twenty-fifth more time.
    private static let settings = [
        "spark.executorEnv.TZ": "UTC", "spark.io.compression.codec": "zstd",
        "spark.sql.parquet.compression.codec": "zstd",
    ]

    private func words(_ file: String) -> [[UInt8]] {
        var words = [place.submit, "--master", place.master]
        let settings = place.settings.merging(Self.settings) { own, _ in own }
        for (name, value) in settings.sorted(by: { $0.key < $1.key })
        where !SparkPlace.isSecret(name) {
            words += ["--conf", "\(name)=\(value)"]
        }
        return (words + [file]).map { Array($0.utf8) }
    }

    /// The path of a program that a word names.
    static func program(_ word: String, _ environment: [String: String]) -> String? {
        if word.contains("/") { return access(word, X_OK) == 0 ? word : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(word)" }.first { access($0, X_OK) == 0 }
    }

    /// That there is no such program.
    static func missing(_ word: String) -> NarrowingFailure {
        NarrowingFailure(
            found: "there is no program '\(word)', which spark.submit names",
            next: "install Spark, as 'pip install pyspark' does, and name its spark-submit")
    }

    private func wait(
        _ program: String, _ words: [[UInt8]], _ output: String, _ log: String
    ) throws -> Int32 {
        let out = open(output, WorkFolder.anew, 0o600)
        let errors = open(log, WorkFolder.anew, 0o600)
        defer { for file in [out, errors] where file >= 0 { close(file) } }
        guard out >= 0, errors >= 0 else {
            throw NarrowingFailure(
                found: "nothing can be written in \(place.work), which spark.work names: "
                    + String(cString: strerror(errno)),
                next: "name a folder with room there")
        }
        let process: ChildProcess
        do throws(ChildProcess.NotStarted) {
            process = try ChildProcess(
                program, words, environment: environment.merging(["TZ": "UTC"]) { $1 },
                ChildProcess.Streams(output: out, errors: errors))
        } catch {
            throw NarrowingFailure(
                found:
                    "'\(place.submit)' was not started: \(String(cString: strerror(error.code)))",
                next: "check the program that spark.submit names")
        }
        var told = 0
        while true {
            if let status = process.wait(until: .now + .milliseconds(200)) { return status }
            if isInterrupted() {
                // Whoever started a job elsewhere ends it there.
                process.end(within: .seconds(10))
                throw CancellationError()
            }
            let done = Self.done(output)
            if done > told { advance(done - told) }
            told = max(told, done)
        }
    }

    // How many statements the last line says that are done.
    private static func done(_ output: String) -> Int {
        let last = (text(of: output) ?? "").split(separator: "\n")
            .last { $0.hasPrefix("mooring did ") }
        return last.flatMap { Int($0.split(separator: " ")[2]) } ?? 0
    }

    /// A small file's text; nil where it cannot be read.
    static func text(of path: String) -> String? {
        guard let bytes = WorkFolder.bytes(of: path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    // The log itself is not shown: it may hold what records hold.
    private func failure(_ status: Int32, _ output: String, _ log: String) -> NarrowingFailure {
        // Some write what went wrong into one, some into the other.
        let printed = Self.text(of: output) ?? ""
        let said = (Self.text(of: log) ?? "") + printed
        let known = printed.split(separator: "\n")
            .last { $0.hasPrefix("mooring failed ") }.map { String($0.dropFirst(15)) }
        let next = "read \(log) and \(output)"
        if said.contains("All masters are unresponsive")
            || said.contains("Could not parse Master URL")
            || said.contains("Failed to connect to master")
        {
            return NarrowingFailure(
                found: "the master \(place.master), which spark.master names, does not answer",
                next: "start it, or name another; \(next)")
        }
        if said.contains("UNRESOLVED_ROUTINE") || said.contains("Undefined function") {
            return NarrowingFailure(
                found: "this version of Spark lacks a function that the statements call",
                next: "take Spark 3.5 or later; \(next)")
        }
        if said.contains("PATH_NOT_FOUND") || said.contains("Path does not exist") {
            return NarrowingFailure(
                found: "Spark does not find a file that this machine reads",
                next: "put records, listings and spark.work where every part of Spark reaches "
                    + "them by the same path, or say under spark.mounts what it calls them; "
                    + "\(next)")
        }
        if said.contains(ColumnSQL.unsteady) {
            return NarrowingFailure(
                found: "ORC tells what a clock showed, and \(ColumnSQL.unsteady)",
                next: "start executors with TZ=UTC, or choose Parquet; \(next)")
        }
        let how =
            status & 0x7F == 0
            ? "ended with status \(status >> 8 & 0xFF)" : "was killed by signal \(status & 0x7F)"
        return NarrowingFailure(
            found: "the job \(how)" + (known.map { ": \($0.printable)" } ?? ""), next: next)
    }
}
