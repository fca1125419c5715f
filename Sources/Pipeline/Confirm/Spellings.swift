import Foundation

/// Other spellings of what a record holds, under which an object of another name may be meant that
/// no listing tells of.
enum Spellings {
    /// The composed and the decomposed form, what percent signs stand for, the value with them, and
    /// small letters; each once, and none of a value that is no text.
    static func others(of value: [UInt8]) -> [[UInt8]] {
        guard let text = String(validating: value, as: UTF8.self) else { return [] }
        let spelled = [
            text.precomposedStringWithCanonicalMapping, text.decomposedStringWithCanonicalMapping,
            text.removingPercentEncoding,
            text.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed), text.lowercased(),
        ]
        var others: [[UInt8]] = []
        for other in spelled.compactMap({ $0.map { Array($0.utf8) } })
        where other != value && !others.contains(other) {
            others.append(other)
        }
        return others
    }
}
