/// The texts inside a value that may be keys, as people and programs write them: to be asked for
/// by name where no listing was read.
package enum NamedKeys {
    private static let longest = 1_024

    /// Texts of a value beside itself, each once, and whether there are more of them.
    package static func texts(
        in value: [UInt8], atMost limit: Int
    ) -> (texts: [[UInt8]], isCutOff: Bool) {
        var seen: Set<[UInt8]> = [value]
        var texts: [[UInt8]] = []
        var isCutOff = false
        func add(_ text: ArraySlice<UInt8>) {
            guard !text.isEmpty, seen.insert(Array(text)).inserted else { return }
            if texts.count < limit { texts.append(Array(text)) } else { isCutOff = true }
        }
        TextSearch(lengths: 1...longest) { text in
            add(text)
            // Before the key a bucket's name may stand, or a folder's.
            for index in text.indices where text[index] == UInt8(ascii: "/") {
                add(text[(index + 1)...])
            }
        }.search(value)
        return (texts, isCutOff)
    }
}
