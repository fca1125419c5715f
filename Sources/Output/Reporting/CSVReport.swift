import MooringModel
import MooringText

/// `findings.csv`: RFC 4180 with a header, one finding a row.
///
/// A cell that a spreadsheet would take for a formula begins with an apostrophe, and hidden
/// characters are escaped as `VisibleText` does, except that a backslash stays one. `keyBase64`,
/// `recordIdBase64` and `valueBase64` hold the bytes wherever the cell before is not the same.
enum CSVReport {
    /// The file's name.
    static let fileName = "findings.csv"

    /// The header's row.
    static let header = row(columns.map { Cell.code($0) })

    private static let columns = [
        "id", "kind", "cause", "verdict", "bucket", "key", "keyBase64", "size", "etag",
        "lastModified", "objectVersion", "source", "model", "recordId", "recordIdBase64", "field",
        "index", "recordVersion", "value", "valueBase64", "indexes", "candidates", "records",
        "workflow", "step", "until", "evidence", "firstSeen", "runs", "action", "needsProof",
        "needsAfter",
    ]

    /// A cell before it is made safe.
    enum Cell {
        /// Foreign text or bytes.
        case foreign([UInt8]?)
        /// Text of the program's own: codes, times and numbers.
        case code(String?)
    }

    /// A finding's row with its line end.
    static func row(_ finding: Finding) -> String { row(subject(finding) + judgement(finding)) }

    /// Cells as one row with its line end.
    static func row(_ cells: [Cell]) -> String {
        cells.map { cell in
            switch cell {
            case .foreign(let bytes): quoted(bytes.map(safe) ?? "")
            case .code(let text): quoted(text ?? "")
            }
        }.joined(separator: ",") + "\r\n"
    }

    /// Foreign bytes as a cell's text, before quoting.
    static func safe(_ bytes: [UInt8]) -> String {
        let text = ForeignBytes.text(bytes)
        return startsFormula(bytes) ? "'" + text : text
    }

    // Spreadsheets skip blanks before a formula, and some read the full-width signs as the others.
    private static func startsFormula(_ bytes: [UInt8]) -> Bool {
        if bytes.first == 0x09 || bytes.first == 0x0D { return true }
        let text = String(decoding: bytes.prefix(256), as: UTF8.self)
        guard let first = text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) else {
            return false
        }
        return "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
    }

    private static func quoted(_ text: String) -> String {
        let needsQuotes = text.utf8.contains {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ";")
                || $0 == 0x20
        }
        guard needsQuotes else { return text }
        var output = "\""
        for scalar in text.unicodeScalars {
            output.unicodeScalars.append(scalar)
            if scalar == "\"" { output += "\"" }
        }
        return output + "\""
    }

    private static func subject(_ finding: Finding) -> [Cell] {
        let record = finding.record
        let object = finding.object
        let id = record?.identity.id.joined
        return [
            .foreign(Array(finding.id.utf8)), .code(finding.kind.rawValue),
            .code(finding.cause?.rawValue), .code(finding.verdict.rawValue),
            .foreign(finding.bucket.map { Array($0.utf8) }),
            .foreign(finding.key?.bytes), base64(finding.key?.bytes),
            .code((finding.objects?.bytes ?? object?.size).map { String($0) }),
            .foreign(object.map { Array($0.etag.utf8) }),
            .code(object?.lastModified.iso8601),
            .foreign(object?.versionID.map { Array($0.utf8) }),
            .foreign(record.map { Array($0.identity.source.utf8) }),
            .foreign(record.map { Array($0.identity.model.utf8) }),
            .foreign(id), base64(id), .foreign(record?.field.map { Array($0.utf8) }),
            .code(record?.index.map { String($0) }), .code(record?.version.map { String($0) }),
        ]
    }

    private static func judgement(_ finding: Finding) -> [Cell] {
        let records = finding.records.map { FindingFacts.text($0) }
        return [
            .foreign(finding.value), base64(finding.value),
            .code(finding.indexes.map { String($0) }.joined(separator: " ")),
            joined(finding.candidates.map(\.bytes)), joined(records),
            .foreign(finding.explanation.map { Array($0.workflow.utf8) }),
            .foreign(finding.explanation.map { Array($0.step.utf8) }),
            .code(finding.explanation?.until.iso8601),
            joined(finding.evidence.map { Array($0.utf8) }),
            .code(finding.firstSeen?.iso8601), .code(String(finding.runs)),
            .code(finding.action?.rawValue),
            .foreign(finding.needs.map { Array($0.proof.utf8) }),
            .code(finding.needs?.after?.iso8601),
        ]
    }

    private static func joined(_ texts: [[UInt8]]) -> Cell {
        .foreign(Array(texts.joined(separator: Array(" | ".utf8))))
    }

    /// The bytes in base64, where the cell before is not the same.
    static func base64(_ bytes: [UInt8]?) -> Cell {
        guard let bytes, !safe(bytes).utf8.elementsEqual(bytes) else { return .code(nil) }
        return .code(Base64.encode(bytes))
    }
}
