/// A small XML document as a tree, for answers that are no listing.
package struct XMLDocument: Sendable {
    /// The element's name.
    package let name: String
    /// Its own text, entities decoded; blanks around elements left out.
    package let text: String
    /// The elements inside, in order.
    package let children: [XMLDocument]

    /// The first element of a name.
    package subscript(_ name: String) -> XMLDocument? { children.first { $0.name == name } }

    /// All elements of a name.
    package func all(_ name: String) -> [XMLDocument] { children.filter { $0.name == name } }

    /// Reads a document; throws `XMLScanner.Fault`.
    package init(_ bytes: [UInt8]) throws(XMLScanner.Fault) {
        var scanner = XMLScanner(bytes)
        guard case .open(let name) = try scanner.next() else {
            throw XMLScanner.Fault(reason: "holds no element", offset: 0)
        }
        self = try Self.read(name, from: &scanner, depth: 0)
        guard case .end = try scanner.next() else {
            throw XMLScanner.Fault(reason: "goes on behind its root", offset: 0)
        }
    }

    private init(name: String, text: String, children: [XMLDocument]) {
        self.name = name
        self.text = text
        self.children = children
    }

    /// The texts of the first elements with these names, wherever they stand; none of what is no
    /// XML.
    package static func texts(of names: [String], in bytes: [UInt8]) -> [String: String] {
        do {
            let document = try XMLDocument(bytes)
            var found: [String: String] = [:]
            for name in names { found[name] = document.find(name)?.text }
            return found
        } catch {
            return [:]
        }
    }

    private func find(_ wanted: String) -> XMLDocument? {
        if name == wanted { return self }
        for child in children {
            if let found = child.find(wanted) { return found }
        }
        return nil
    }

    private static func read(
        _ name: Range<Int>, from scanner: inout XMLScanner, depth: Int
    ) throws(XMLScanner.Fault) -> XMLDocument {
        guard depth < 32 else {
            throw XMLScanner.Fault(reason: "is nested too deep", offset: name.lowerBound)
        }
        var (text, children): ([UInt8], [XMLDocument]) = ([], [])
        while true {
            switch try scanner.next() {
            case .open(let inner):
                children.append(try read(inner, from: &scanner, depth: depth + 1))
            case .text(let range): text += try XMLText.decode(scanner.bytes[range])
            case .close:
                return XMLDocument(
                    name: String(decoding: scanner.bytes[name], as: UTF8.self),
                    text: children.isEmpty ? String(decoding: text, as: UTF8.self) : "",
                    children: children)
            case .end:
                throw XMLScanner.Fault(reason: "ends within an element", offset: 0)
            }
        }
    }
}

/// Text of an XML document.
package enum XMLText {
    private static let names: [String: [UInt8]] = [
        "amp": [0x26], "lt": [0x3C], "gt": [0x3E], "quot": [0x22], "apos": [0x27],
    ]

    /// The bytes that a text means: entities decoded, and a carriage return read as XML says.
    /// Throws where an entity means no character of XML 1.0.
    package static func decode(_ text: ArraySlice<UInt8>) throws(XMLScanner.Fault) -> [UInt8] {
        guard text.contains(UInt8(ascii: "&")) else { return Array(text) }
        var decoded: [UInt8] = []
        var rest = text
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            decoded += rest[..<start]
            guard let end = rest[start...].firstIndex(of: UInt8(ascii: ";")),
                let meant = entity(rest[(start + 1)..<end])
            else {
                throw XMLScanner.Fault(reason: "holds an entity that means nothing", offset: start)
            }
            decoded += meant
            rest = rest[(end + 1)...]
        }
        return decoded + rest
    }

    private static func entity(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        let text = String(decoding: name, as: UTF8.self)
        if let known = names[text] { return known }
        guard text.hasPrefix("#") else { return nil }
        let digits = text.dropFirst()
        let value =
            digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        guard let value, let scalar = Unicode.Scalar(value),
            value >= 0x20 || [0x09, 0x0A, 0x0D].contains(value), value & 0xFFFE != 0xFFFE
        else { return nil }
        return Array(String(Character(scalar)).utf8)
    }
}
