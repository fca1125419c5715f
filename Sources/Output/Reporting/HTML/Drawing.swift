/// Small drawings in SVG, beside numbers that stand in the text. They hold no foreign text, and
/// no style but classes.
enum Drawing {
    /// The most points of a line.
    static let points = 30

    /// A line through the last values, the oldest first; nothing where there are not two.
    static func line(_ values: [Double], label: String) -> String {
        let shown = values.suffix(points)
        guard shown.count > 1, let low = shown.min(), let high = shown.max() else { return "" }
        let (width, height) = (120.0, 28.0)
        let span = high > low ? high - low : 1
        let step = (width - 4) / Double(shown.count - 1)
        let places = shown.enumerated().map { index, value in
            let part = high > low ? (value - low) / span : 0.5
            return (2 + Double(index) * step, height - 3 - part * (height - 6))
        }
        let line = places.map { "\(tenths($0.0)),\(tenths($0.1))" }.joined(separator: " ")
        let last = places[places.count - 1]
        return "<svg class=\"spark\" width=\"120\" height=\"28\" viewBox=\"0 0 120 28\" "
            + "role=\"img\" aria-label=\"\(Markup.text(label))\"><polyline fill=\"none\" "
            + "stroke=\"currentColor\" stroke-width=\"1.5\" points=\"\(line)\"/>"
            + "<circle cx=\"\(tenths(last.0))\" cy=\"\(tenths(last.1))\" r=\"2\" "
            + "fill=\"currentColor\"/></svg>"
    }

    /// A bar as long as a share of one.
    static func bar(_ share: Double) -> String {
        let width = max(1, (share * 160).rounded())
        return "<svg class=\"bar\" width=\"160\" height=\"10\" viewBox=\"0 0 160 10\" "
            + "aria-hidden=\"true\"><rect width=\"\(tenths(width))\" height=\"10\" "
            + "fill=\"currentColor\"/></svg>"
    }

    private static func tenths(_ number: Double) -> String {
        let value = Int((number * 10).rounded())
        return value % 10 == 0 ? "\(value / 10)" : "\(value / 10).\(abs(value % 10))"
    }
}
