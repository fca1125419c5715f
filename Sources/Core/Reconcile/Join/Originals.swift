import MooringModel

/// Which records are copies of which: a record and its copies are one record, that of the
/// authority.
struct Originals: Sendable {
    private let models: [Int]
    private let authorities: [String: String]

    /// The originals of these models.
    init(_ models: [SourceModel]) {
        var first: [[String]: Int] = [:]
        self.models = models.enumerated().map { number, model in
            let name = [model.authority ?? model.source, model.mapping.model]
            let common = first[name] ?? number
            first[name] = common
            return common
        }
        authorities = Dictionary(
            models.compactMap { model in model.authority.map { (model.source, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The number that a model and all models that copy it have in common.
    func model(of model: Int) -> Int { models[model] }

    /// One place for each record, in the order given; where a record stands beside its copies, it
    /// is the one that is named.
    func distinct(_ places: [RecordPlace]) -> [RecordPlace] {
        var chosen: [RecordIdentity: Int] = [:]
        var distinct: [RecordPlace] = []
        for place in places {
            let identity = place.identity
            let original = RecordIdentity(
                source: authorities[identity.source] ?? identity.source, model: identity.model,
                id: identity.id)
            if let number = chosen[original] {
                if identity == original, distinct[number].identity != original {
                    distinct[number] = place
                }
            } else {
                chosen[original] = distinct.count
                distinct.append(place)
            }
        }
        return distinct
    }
}
