// The form in which the ledger keeps what a store was seen to do.

extension StoreCapabilities {
    /// Every trial by its name.
    package var json: JSONValue {
        .members([
            "versioning": .string(versioning.rawValue),
            "conditionalDelete": conditionalDelete.json,
            "conditionalBatch": conditionalBatch.json,
            "conditionalWrite": conditionalWrite.json, "conditionalCopy": conditionalCopy.json,
            "exclusiveCopy": exclusiveCopy.json, "tagging": tagging.json,
            "multipartCopy": multipartCopy.json, "stampsEveryWrite": .bool(stampsEveryWrite),
            "versionsDoubt": .text(versionsDoubt), "quarantineDoubt": .text(quarantineDoubt),
            "unversioned": unversioned.isEmpty ? nil : .texts(unversioned.map(\.text)),
        ])
    }

    /// Reads them back; a trial that is not named is unknown.
    package init(json node: JSONNode) throws(DocumentError) {
        self.init(
            versioning: try node.coded("versioning"),
            conditionalDelete: try Trial(json: node["conditionalDelete"]),
            conditionalBatch: try Trial(json: node["conditionalBatch"]),
            conditionalWrite: try Trial(json: node["conditionalWrite"]),
            conditionalCopy: try Trial(json: node["conditionalCopy"]),
            exclusiveCopy: try Trial(json: node["exclusiveCopy"]),
            tagging: try Trial(json: node["tagging"]),
            multipartCopy: try Trial(json: node["multipartCopy"]),
            stampsEveryWrite: node["stampsEveryWrite"]?.bool ?? false)
        versionsDoubt = node["versionsDoubt"]?.string
        quarantineDoubt = node["quarantineDoubt"]?.string
        unversioned = (node["unversioned"]?.elements ?? []).compactMap(\.string).map(
            UnversionedKeys.init)
    }
}

extension StoreCapabilities.Trial {
    /// `{result, reason}`.
    package var json: JSONValue {
        switch self {
        case .honoured: .members(["result": .string("honoured")])
        case .ignored: .members(["result": .string("ignored")])
        case .refused(let why):
            .members(["result": .string("refused"), "reason": .string(why)])
        case .unknown(let why):
            .members(["result": .string("unknown"), "reason": .string(why)])
        }
    }

    /// Reads a trial back.
    package init(json node: JSONNode?) throws(DocumentError) {
        guard let node else {
            self = .unknown("it was not tried")
            return
        }
        let reason = node["reason"]?.string ?? ""
        switch try node.required("result") {
        case "honoured": self = .honoured
        case "ignored": self = .ignored
        case "refused": self = .refused(reason)
        case "unknown": self = .unknown(reason)
        default: throw DocumentError("'result' has an unknown value")
        }
    }
}
