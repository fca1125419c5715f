/// How the tables of the configuration are named in the store.
package struct TableNames: Hashable, Sendable {
    /// What stands before a table's name.
    package let prefix: String
    /// What stands behind it.
    package let suffix: String

    /// Names between a prefix and a suffix.
    package init(prefix: String = "", suffix: String = "") {
        self.prefix = prefix
        self.suffix = suffix
    }

    /// The store's name of a table.
    func stored(_ table: String) -> String { prefix + table + suffix }

    /// The configuration's name of a table of the store; nil where the name does not lie between
    /// prefix and suffix.
    package func configured(_ name: String) -> String? {
        let bytes = Array(name.utf8)
        let (head, tail) = (Array(prefix.utf8), Array(suffix.utf8))
        guard bytes.count > head.count + tail.count, bytes.starts(with: head),
            bytes.suffix(tail.count).elementsEqual(tail)
        else { return nil }
        return String(decoding: bytes.dropFirst(head.count).dropLast(tail.count), as: UTF8.self)
    }
}
