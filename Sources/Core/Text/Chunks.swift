extension RandomAccessCollection {
    /// The elements in their order, `size` of them at once; the last chunk may be smaller.
    package func chunks(of size: Int) -> [SubSequence] {
        var (chunks, rest): ([SubSequence], SubSequence) = ([], self[...])
        while !rest.isEmpty {
            chunks.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return chunks
    }
}
