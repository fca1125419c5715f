import MooringModel

/// A line in a test case's text.
enum JUnitLine {
    /// A sentence, which may quote foreign text.
    case words(String)
    /// Foreign bytes behind words of our own; in ASCII where two spellings must look different.
    case bytes(String, [UInt8], ascii: Bool)
}

/// One test case.
struct JUnitCase {
    /// How it ended.
    enum Result {
        case passed
        case failure([JUnitLine])
        case error([JUnitLine])
        case skipped(String)
    }

    /// What a pipeline takes for the suite.
    let className: String
    /// The name, which with the class tells the case from every other.
    let name: String
    /// How it ended.
    var result = Result.passed
}

/// Test cases under one heading, as JUnit's XML has them.
struct JUnitSuite {
    /// The heading.
    let name: String
    /// The cases.
    let cases: [JUnitCase]

    /// A document of suites; every case names the configuration's file.
    static func document(
        _ suites: [JUnitSuite], file: String, start: Instant, taken: Duration
    ) -> String {
        let seconds = Self.seconds(taken)
        let all = suites.flatMap(\.cases)
        var xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        xml += "<testsuites name=\"mooring\" \(sums(all)) time=\"\(seconds)\">\n"
        let time = Figures.time(start).dropLast()
        for suite in suites {
            // The run as a whole takes the time; a part of it has none of its own.
            xml += "  <testsuite name=\"mooring.\(suite.name)\" \(sums(suite.cases))"
            xml += " time=\"\(suite.name == "run" ? seconds : "0.000")\" timestamp=\"\(time)\">\n"
            for testCase in suite.cases { xml += element(testCase, file) }
            xml += "  </testsuite>\n"
        }
        return xml + "</testsuites>\n"
    }

    private static func sums(_ cases: [JUnitCase]) -> String {
        var (failures, errors, skipped) = (0, 0, 0)
        for testCase in cases {
            switch testCase.result {
            case .passed: break
            case .failure: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
        return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
            + " skipped=\"\(skipped)\""
    }

    private static func element(_ testCase: JUnitCase, _ file: String) -> String {
        let head =
            "    <testcase classname=\"\(Markup.text(testCase.className))\""
            + " name=\"\(Markup.text(testCase.name))\" file=\"\(Markup.text(file))\""
            + " time=\"0.000\""
        switch testCase.result {
        case .passed: return head + "/>\n"
        case .failure(let lines): return head + filled("failure", testCase, lines)
        case .error(let lines): return head + filled("error", testCase, lines)
        case .skipped(let reason):
            return head + ">\n      <skipped message=\"\(Markup.text(reason))\"/>\n"
                + "    </testcase>\n"
        }
    }

    // Some pipelines read only the text, others only the message: its first line stands in both.
    private static func filled(_ element: String, _ testCase: JUnitCase, _ lines: [JUnitLine])
        -> String
    {
        let texts = lines.map(text)
        let type = Markup.text(testCase.className)
        return ">\n      <\(element) message=\"\(texts.first ?? "")\" type=\"\(type)\">"
            + texts.joined(separator: "\n") + "\n</\(element)>\n    </testcase>\n"
    }

    private static func text(_ line: JUnitLine) -> String {
        switch line {
        case .words(let words): Markup.text(words)
        case .bytes(let words, let bytes, let ascii):
            words + Markup.plain(ShownBytes(active: []).text(bytes, ascii: ascii))
        }
    }

    private static func seconds(_ duration: Duration) -> String {
        let milliseconds = max(0, duration.nanoseconds / 1_000_000)
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.utf8.count)
            + rest
    }
}
