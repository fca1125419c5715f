/// A command line in words, as the AWS CLI splits `credential_process`: quotes and backslashes as
/// in a POSIX shell, and nothing else of one: no variables, no globs, no pipes.
enum ShellWords {
    /// A quote that is not closed, or a backslash at the end.
    struct Unfinished: Error {}

    /// The words of a line.
    static func split(_ line: [UInt8]) throws(Unfinished) -> [[UInt8]] {
        var words: [[UInt8]] = []
        var word: [UInt8]?
        var quote: UInt8?
        var index = 0
        while index < line.count {
            let byte = line[index]
            index += 1
            if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
                guard index < line.count else { throw Unfinished() }
                let next = line[index]
                index += 1
                // Inside double quotes a backslash hides only itself and the quote.
                let isPlain = quote != nil && next != UInt8(ascii: "\"") && next != byte
                word = (word ?? []) + (isPlain ? [byte, next] : [next])
            } else if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                word = word ?? []
            } else if quote == nil, byte == 0x20 || (0x09...0x0D).contains(byte) {
                if let word { words.append(word) }
                word = nil
            } else {
                word = word ?? []
                word?.append(byte)
            }
        }
        guard quote == nil else { throw Unfinished() }
        if let word { words.append(word) }
        return words
    }
}
