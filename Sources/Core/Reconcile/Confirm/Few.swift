/// A list that mostly has one element, for which it allocates nothing.
struct Few<Element>: Sequence {
    private var first: Element?
    private var others: [Element] = []

    /// An empty list.
    init() {}

    /// A list of these elements.
    init(_ elements: some Sequence<Element>) {
        for element in elements { append(element) }
    }

    /// How many elements there are.
    var count: Int { first == nil ? 0 : others.count + 1 }

    /// Whether there is none.
    var isEmpty: Bool { first == nil }

    /// The last element; nil where there is none.
    var last: Element? { others.last ?? first }

    /// Appends an element.
    mutating func append(_ element: Element) {
        if first == nil { first = element } else { others.append(element) }
    }

    /// Gives the elements in the order in which they were appended.
    func makeIterator() -> Iterator { Iterator(first: first, others: others.makeIterator()) }

    /// Gives one element after the other.
    struct Iterator: IteratorProtocol {
        fileprivate var first: Element?
        fileprivate var others: IndexingIterator<[Element]>

        /// The next element; nil at the end.
        mutating func next() -> Element? {
            guard let only = first else { return others.next() }
            first = nil
            return only
        }
    }
}

extension Few: Sendable where Element: Sendable {}
