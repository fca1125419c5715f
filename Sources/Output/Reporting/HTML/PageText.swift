import MooringModel
import MooringText

/// Reads `report.html` back, for who has to know what it says of a person.
package enum PageText {
    /// Whether what the page's blocks of findings hold fits, asked for one block after the other
    /// until one does. A block that cannot be read counts as one that does: nobody can say what it
    /// holds.
    package static func blocks(
        of page: [UInt8], _ fits: ([UInt8]) throws -> Bool
    ) rethrows -> Bool {
        let (opening, closing) = (Array("data-rows=\"".utf8), UInt8(ascii: "<"))
        var rest = page[...]
        while let place = rest.firstRange(of: opening) {
            rest = rest[place.upperBound...]
            guard let start = rest.firstIndex(of: UInt8(ascii: ">")) else { return true }
            let text = rest[(start + 1)...].prefix { $0 != closing }
            guard let packed = Base64.decode(String(decoding: text, as: UTF8.self)),
                let block = Gzip.inflated(packed)
            else { return true }
            if try fits(block) { return true }
            rest = rest[text.endIndex...]
        }
        return false
    }
}
