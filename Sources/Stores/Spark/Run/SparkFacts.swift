import MooringModel
import MooringText

/// What Spark counted in one stage, as `facts` holds it; it is whole, or there is none.
struct SparkFacts: Sendable {
    private struct Place: Hashable {
        let name: String
        let number: Int
        let part: String
    }

    /// One of several of a name and number.
    struct Part: Hashable {
        /// What it is about.
        let part: String
        /// What was counted.
        let value: String
    }

    private struct Side: Hashable {
        let name: String
        let number: Int
    }

    private var values: [Place: String] = [:]
    private var parts: [Side: [Part]] = [:]

    /// Those of a stage. Throws `NarrowingFailure` where a part is missing, so that nothing of the
    /// stage is taken.
    init(_ folder: WorkFolder, stage: Int) throws {
        guard let done = folder.lines(of: "\(stage)/done"), done.count == 1,
            let lines = folder.lines(of: "\(stage)/facts"),
            done[0].elementsEqual("facts \(lines.count)".utf8)
        else {
            throw NarrowingFailure(
                found: "the job left no marker of its end in \(folder.path): a part of it is lost, "
                    + "or spark.work is another folder where it runs",
                next: "name a folder as spark.work that this machine and every part of Spark reach "
                    + "by the same path, or say under spark.mounts what it calls it, and run again")
        }
        for line in lines {
            let words = String(decoding: line, as: UTF8.self)
                .split(separator: " ", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 4, let number = Int(words[1]) else {
                throw NarrowingFailure(
                    found: "a count of the job cannot be read: \(words[0].printable)",
                    next: "take Spark 3.5 or later, or --engine native")
            }
            values[Place(name: words[0], number: number, part: words[2])] = words[3]
            parts[Side(name: words[0], number: number), default: []].append(
                Part(part: words[2], value: words[3]))
        }
    }

    /// A count; 0 where there is nothing to count.
    func count(_ name: String, _ number: Int, _ part: String = "0") -> Int {
        values[Place(name: name, number: number, part: part)].flatMap { Int($0) } ?? 0
    }

    /// All of one name and number, by their parts.
    func all(_ name: String, _ number: Int) -> [Part] {
        parts[Side(name: name, number: number)] ?? []
    }

    /// So many lines of so many bytes, which stand for its part; none where nothing was counted.
    func sum(_ name: String, _ number: Int) -> (lines: Int, bytes: Int) {
        let first = all(name, number).first
        return (
            first.flatMap { Int($0.value) } ?? 0, first.flatMap { Int($0.part) } ?? 0
        )
    }
}
