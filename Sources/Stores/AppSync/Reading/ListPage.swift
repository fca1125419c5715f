import MooringModel

/// Asks for the records of one model, page by page, to the end.
struct ListPages {
    /// Which model, by its number in the scan.
    let number: Int
    /// The model.
    let model: APIModel
    /// The columns that are asked for.
    let columns: [APIModel.Column]
    /// The most records of a page.
    let pageSize: Int
    private var query = 0
    private var token: [UInt8]?
    private var pages = 0
    // Brent's search for a loop: one earlier token is kept, a later one each time the number of
    // pages has doubled, so that a token that comes again is met without keeping all of them.
    private var kept: [UInt8]?
    private var nextKept = 1

    /// One page.
    struct Page {
        /// Its rows, in the order of the columns.
        var rows: [[FieldValue]] = []
        /// What was wrong with it.
        var problems: [String] = []
    }

    /// The pages of a model, from the first one on.
    init(number: Int, model: APIModel, columns: [APIModel.Column], pageSize: Int) {
        self.number = number
        self.model = model
        self.columns = columns
        self.pageSize = pageSize
    }

    /// The request for the next page; nil where the model has no query that lists it.
    var operation: GraphQLOperation? {
        guard model.lists.indices.contains(query) else { return nil }
        let list = model.lists[query]
        let limit = list.takesLimit
        let text =
            "query List(\(limit ? "$limit: Int, " : "")$nextToken: String) { "
            + "\(GraphQLOperation.result): \(list.name)(\(limit ? "limit: $limit, " : "")"
            + "nextToken: $nextToken) { items { \(columns.selectionText) } nextToken } }"
        var operation = GraphQLOperation(name: list.name, text: text)
        if limit { operation.variables.append(("limit", Array(String(pageSize).utf8))) }
        let token = self.token.map { InputText.string(String(decoding: $0, as: UTF8.self)) }
        operation.variables.append(("nextToken", token ?? Array("null".utf8)))
        return operation
    }

    /// Whether the API may know the query by another of its names, which is asked next then.
    mutating func triesNext(after answer: GraphQLAnswer) -> Bool {
        guard pages == 0, answer.isUndefined, answer.result == nil,
            query + 1 < model.lists.count
        else { return false }
        query += 1
        return true
    }

    /// Reads a page; false when it was the last one.
    mutating func read(_ answer: GraphQLAnswer) -> (page: Page, goesOn: Bool) {
        var page = Page()
        pages += 1
        if let told = answer.told {
            page.problems.append(
                "the API answered with errors: \(told); what it left out was not read")
        }
        guard let result = answer.result, let items = result["items"]?.elements else {
            if answer.errors.isEmpty { page.problems.append("the answer holds no items") }
            return (page, false)
        }
        var missing = 0
        for item in items {
            guard item.members != nil else {
                missing += 1
                continue
            }
            page.rows.append(
                columns.map { column in AnswerValue.value(item[column.name], of: column) })
        }
        if missing > 0, answer.errors.isEmpty {
            page.problems.append("\(missing) records of a page are null")
        }
        guard let told = result["nextToken"] else { return (page, false) }
        guard let next = told.stringBytes else {
            page.problems.append("nextToken is no text")
            return (page, false)
        }
        if next == token || next == kept {
            page.problems.append(
                "nextToken came again after \(pages) pages: the list would never end")
            return (page, false)
        }
        if pages == nextKept {
            kept = next
            nextKept *= 2
        }
        token = next
        return (page, true)
    }
}
