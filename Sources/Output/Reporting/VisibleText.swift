import MooringText

/// Shows bytes that somebody else chose, so that each can be told and none can act.
///
/// All reports share one escape: `\\` is a backslash, `\xNN` a control character or a byte that is
/// not UTF-8, and `\u{N}` any other scalar that is not shown as itself. In ASCII that is every
/// scalar above 0x7E; elsewhere only those without a glyph of their own, such as the controls of
/// writing direction. The escaped text gives the bytes back.
package enum VisibleText {
    /// The bytes in printable ASCII; a blank that a reader could miss is `\x20`.
    package static func ascii(_ bytes: some Collection<UInt8>) -> String {
        var text = ""
        var followsBlank = true
        ForeignBytes.scan(bytes) { piece in
            var isBlank = false
            switch piece {
            case .plain(" "):
                text += followsBlank ? ForeignBytes.escape(0x20) : " "
                isBlank = true
            case .plain(let scalar):
                if scalar.isASCII {
                    text.unicodeScalars.append(scalar)
                } else {
                    text += ForeignBytes.escape(scalar)
                }
            case .escaped(let escape): text += escape
            }
            followsBlank = isBlank
        }
        return text.utf8.last == 0x20 ? text.dropLast() + ForeignBytes.escape(0x20) : text
    }

    /// The UTF-8 bytes of a text in printable ASCII.
    package static func ascii(_ text: String) -> String { ascii(Array(text.utf8)) }

    /// Printable ASCII of at most so many columns, shortened in the middle between two escapes.
    package static func ascii(_ bytes: [UInt8], width: Int) -> String {
        let text = ascii(bytes)
        guard text.utf8.count > width, width > 3 else { return text }
        let units = units(text)
        var head = ""
        var tail = ""
        var front = 0
        var back = units.count
        while front < back {
            let takesHead = head.utf8.count <= tail.utf8.count
            let unit = takesHead ? units[front] : units[back - 1]
            guard head.utf8.count + tail.utf8.count + unit.utf8.count + 3 <= width else { break }
            if takesHead {
                head += unit
                front += 1
            } else {
                tail = unit + tail
                back -= 1
            }
        }
        return head + "..." + tail
    }

    /// The characters and whole escapes of an escaped ASCII text.
    static func units(_ escaped: String) -> [Substring] {
        var units: [Substring] = []
        var rest = escaped[...]
        while let first = rest.first {
            var length = 1
            if first == "\\" {
                let second = rest.dropFirst().first
                if second == "u" {
                    length =
                        (rest.firstIndex(of: "}")).map {
                            rest.distance(from: rest.startIndex, to: $0) + 1
                        } ?? 1
                } else {
                    length = second == "x" ? 4 : 2
                }
            }
            units.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return units
    }
}
