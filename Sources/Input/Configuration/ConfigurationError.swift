import MooringText

/// Why a configuration was refused: every problem that was found, up to a bound.
///
/// The texts hold names and values of the file as they were written; what `${NAME}` stood for
/// never appears in them.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that is wrong.
    package struct Problem: Hashable, Sendable {
        /// The line in the file, from 1; nil where no line is to blame.
        package let line: Int?
        /// What was found, and what to write instead.
        package let message: String

        /// A problem at a line.
        package init(line: Int?, message: String) {
            self.line = line
            self.message = message
        }
    }

    /// The file as it was named; nil when no file was found.
    package let file: String?
    /// The problems that are shown, by line; at most `problemLimit` of them.
    package let problems: [Problem]
    /// All problems, shown or not.
    package let problemCount: Int

    /// The most problems that are shown; the rest are only counted.
    package static let problemLimit = 20

    /// A refusal for these problems; lines put them in order, and those without a line come first.
    /// The count may be larger, where not all that was found was kept.
    package init(file: String?, problems: [Problem], problemCount: Int? = nil) {
        self.file = file
        let ordered = problems.enumerated().sorted {
            ($0.element.line ?? 0, $0.offset) < ($1.element.line ?? 0, $1.offset)
        }
        self.problems = ordered.prefix(Self.problemLimit).map(\.element)
        self.problemCount = problemCount ?? problems.count
    }

    /// A refusal for one problem.
    package init(file: String?, line: Int? = nil, _ message: String) {
        self.init(file: file, problems: [Problem(line: line, message: message)])
    }

    /// One line for each problem: `mooring.yaml:12: unknown key …`.
    package var description: String {
        var lines = problems.map { problem in
            let place = [file.map(\.printablePath), problem.line.map(String.init)].compactMap {
                $0
            }
            return (place.isEmpty ? "" : place.joined(separator: ":") + ": ") + problem.message
        }
        if problemCount > problems.count {
            lines.append("and \(problemCount - problems.count) more problems")
        }
        return lines.joined(separator: "\n")
    }
}
