/// Lays ASCII out in lines of a bounded width.
struct TextLayout {
    /// The most columns of a line.
    let width: Int
    /// Whether status words are coloured by terminal sequences.
    let color: Bool

    /// The colours that are used, by their terminal code.
    enum Color: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case bold = "1"
    }

    /// Whether a key that is too long for its line is shortened; otherwise the line is longer.
    let cutsKeys: Bool

    /// A layout; fewer than 40 columns are taken for 40.
    init(width: Int, color: Bool = false, cutsKeys: Bool = true) {
        self.width = max(40, width)
        self.color = color
        self.cutsKeys = cutsKeys
    }

    /// The text in a colour, where colours are on; laid out before, since sequences have no width.
    func painted(_ text: String, _ paint: Color?) -> String {
        guard let paint else { return text }
        return color ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// An escaped text in lines, broken at blanks and, where a word is too long, between escapes.
    func wrapped(_ text: String, first: String = "", rest: String = "") -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        func breakLine() {
            lines.append(line)
            line = rest
            isEmpty = true
        }
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if !isEmpty {
                if line.utf8.count + 1 + word.utf8.count <= width {
                    line += " " + word
                    continue
                }
                breakLine()
            }
            for unit in line.utf8.count + word.utf8.count <= width
                ? [word] : VisibleText.units(String(word))
            {
                if line.utf8.count + unit.utf8.count > width { breakLine() }
                line += unit
                isEmpty = false
            }
            isEmpty = false
        }
        lines.append(line)
        return lines.map(Self.trimmed)
    }

    /// The text of exactly so many columns: filled up with blanks, or shortened in the middle.
    static func column(_ text: String, _ width: Int, right: Bool = false) -> String {
        let shown = VisibleText.ascii(Array(text.utf8), width: width)
        let blanks = String(repeating: " ", count: max(0, width - shown.utf8.count))
        return right ? blanks + shown : shown + blanks
    }

    private static func trimmed(_ line: String) -> String {
        var line = line
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
