import Foundation

/// A Swift file split into what the compiler runs and what it skips.
///
/// Knows line and nested block comments, strings of one and of many lines, raw strings, and code
/// inside interpolations, which counts as part of the string. It does not know bare regex literals.
struct SwiftSource {
    /// The path, for messages.
    let path: String
    /// The lines as they are written.
    let lines: [Substring]
    /// The same lines with comments and the insides of strings as blanks.
    let code: [[UInt8]]
    /// The same lines with everything but comments as blanks.
    let comments: [[UInt8]]

    /// A source text.
    init(path: String, text: String) {
        var lexer = Lexer(bytes: Array(text.utf8))
        lexer.run()
        self.path = path
        self.lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        self.code = Self.split(lexer.code)
        self.comments = Self.split(lexer.comments)
    }

    /// Whether a line, counted from 0, holds a comment.
    func hasComment(at line: Int) -> Bool {
        comments.indices.contains(line) && comments[line].contains { $0 != 0x20 && $0 != 0x09 }
    }

    /// Whether the line is nothing but a comment that begins with these slashes.
    func isComment(at line: Int, slashes: String) -> Bool {
        lines.indices.contains(line)
            && lines[line].drop { $0 == " " || $0 == "\t" }.hasPrefix(slashes)
    }

    private static func split(_ bytes: [UInt8]) -> [[UInt8]] {
        bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    }
}

/// Walks once over the bytes and copies each either to `code`, to `comments`, or to neither.
private struct Lexer {
    /// The text, and a NUL byte that ends every search.
    let bytes: [UInt8]
    let count: Int
    var index = 0
    var code: [UInt8]
    var comments: [UInt8]

    init(bytes: [UInt8]) {
        self.bytes = bytes + [0]
        self.count = bytes.count
        let blank = bytes.map { $0 == 0x0A ? $0 : 0x20 }
        self.code = blank
        self.comments = blank
    }

    mutating func run() {
        while index < count {
            let length = run(until: "\"/#")
            code.replaceSubrange(index..<(index + length), with: bytes[index..<(index + length)])
            index += length
            if index < count { step(visible: true) }
        }
    }

    /// How many bytes from here on are none of these characters. The C library counts them, which
    /// keeps these tests fast in a debug build.
    private func run(until stops: String) -> Int {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress else { return 0 }
            return strcspn((base + index).assumingMemoryBound(to: CChar.self), stops)
        }
    }

    /// Takes one byte, comment or string of code.
    private mutating func step(visible: Bool) {
        let byte = bytes[index]
        if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
            takeComment(run(until: "\n"))
        } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
            blockComment()
        } else if byte == UInt8(ascii: "\"") {
            string(hashes: 0, visible: visible)
        } else if byte == UInt8(ascii: "#"), let hashes = hashesBeforeQuote() {
            index += hashes
            string(hashes: hashes, visible: visible)
        } else {
            if visible { code[index] = byte }
            index += 1
        }
    }

    private func peek(_ distance: Int) -> UInt8? {
        index + distance < count ? bytes[index + distance] : nil
    }

    private mutating func takeComment(_ length: Int) {
        let range = index..<(index + length)
        comments.replaceSubrange(range, with: bytes[range])
        index += length
    }

    private mutating func blockComment() {
        var depth = 0
        while index < count {
            takeComment(run(until: "/*"))
            guard index < count else { return }
            let pair = (bytes[index], peek(1))
            let opens = pair == (UInt8(ascii: "/"), UInt8(ascii: "*"))
            let closes = pair == (UInt8(ascii: "*"), UInt8(ascii: "/"))
            if opens || closes {
                depth += opens ? 1 : -1
                takeComment(1)
            }
            takeComment(1)
            if depth == 0 { return }
        }
    }

    private func hashesBeforeQuote() -> Int? {
        var count = 0
        while peek(count) == UInt8(ascii: "#") { count += 1 }
        return peek(count) == UInt8(ascii: "\"") ? count : nil
    }

    private func isQuote(_ quotes: Int, hashes: Int) -> Bool {
        for offset in 0..<quotes where peek(offset) != UInt8(ascii: "\"") { return false }
        for offset in 0..<hashes where peek(quotes + offset) != UInt8(ascii: "#") { return false }
        return true
    }

    /// Takes a string from its opening quote; only the quotes stay visible.
    private mutating func string(hashes: Int, visible: Bool) {
        let quotes = isQuote(3, hashes: 0) ? 3 : 1
        if visible { code[index] = UInt8(ascii: "\"") }
        index += quotes
        while index < count {
            index += run(until: "\"\\\n")
            guard index < count else { return }
            if isQuote(quotes, hashes: hashes) {
                if visible { code[index] = UInt8(ascii: "\"") }
                index += quotes + hashes
                return
            }
            if bytes[index] == UInt8(ascii: "\\"), isEscape(hashes: hashes) {
                index += 1 + hashes
                if peek(0) == UInt8(ascii: "(") { interpolation() } else { index += 1 }
            } else if quotes == 1, bytes[index] == 0x0A {
                return
            } else {
                index += 1
            }
        }
    }

    private func isEscape(hashes: Int) -> Bool {
        for offset in 0..<hashes where peek(1 + offset) != UInt8(ascii: "#") { return false }
        return true
    }

    /// Takes the code in an interpolation, which may hold strings and parentheses itself.
    private mutating func interpolation() {
        var depth = 0
        while index < count {
            if bytes[index] == UInt8(ascii: "(") { depth += 1 }
            if bytes[index] == UInt8(ascii: ")") { depth -= 1 }
            step(visible: false)
            if depth == 0 { return }
        }
    }
}
