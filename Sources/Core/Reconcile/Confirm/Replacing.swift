import Glibc

extension ArraySlice<UInt8> {
    /// A copy in which every one of these marks gives way to what `replace` appends for it, which
    /// tells where the copy goes on: behind the mark, and at the end of the bytes at most. What
    /// stands between marks is copied as it is.
    func replacing(
        _ mark: UInt8, _ replace: (_ place: Int, _ output: inout [UInt8]) -> Int
    ) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(count)
        var place = startIndex
        while let found = self[place...].place(of: mark) {
            output.append(contentsOf: self[place..<found])
            place = replace(found, &output)
        }
        output.append(contentsOf: self[place...])
        return output
    }

    /// The first place of a byte; nil where it does not stand here.
    func place(of byte: UInt8) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress,
                let found = memchr(base, Int32(byte), bytes.count)
            else { return nil }
            return startIndex + (UnsafeRawPointer(found) - base)
        }
    }
}

extension [UInt8] {
    /// Appends a character in UTF-8.
    mutating func append(_ scalar: Unicode.Scalar) {
        append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
    }
}
