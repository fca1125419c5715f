/// The attributes that a read asks for, under placeholders, since many names are reserved words.
struct Projection {
    private let columns: [String]

    /// A projection on these attributes, each named once.
    init(_ columns: [String]) { self.columns = columns }

    /// Adds the projection to a request.
    func add(to body: inout RequestBody) {
        var names = RequestBody()
        for (index, column) in columns.enumerated() { names.add("#c\(index)", text: column) }
        body.add(
            "ProjectionExpression",
            text: columns.indices.map { "#c\($0)" }.joined(separator: ","))
        body.add("ExpressionAttributeNames", names.text)
    }
}
