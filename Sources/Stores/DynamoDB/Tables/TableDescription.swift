import MooringModel
import MooringText

/// What DescribeTable tells of a table, as far as it decides how items are read and written.
struct TableDescription: Hashable {
    /// The types that a key may have.
    enum KeyType: String {
        case string = "S"
        case number = "N"
        case binary = "B"
    }

    /// An attribute of the table's key.
    struct Key: Hashable {
        /// The attribute's name.
        let name: String
        /// Its type.
        let type: KeyType
    }

    /// The partition key.
    let hash: Key
    /// The sort key; nil of a table that has none.
    let range: Key?
    /// The attributes that the table's indexes are keyed by, which hold no NULL.
    let indexed: Set<String>

    /// The id that the service gave the table, another one for each table that was ever made of its
    /// name; nil where it tells none.
    let id: String?

    /// The read capacity units a second that are provisioned; nil of an on-demand table, and where
    /// the service does not say.
    let provisioned: Int?

    /// The most read request units a second that an on-demand table was told to give; nil without
    /// such a bound.
    let mostOnDemand: Int?

    /// How many items there are, as the service counted them last: it does so about every six hours
    /// (DynamoDB API reference, "TableDescription"). Nil where it does not say.
    let items: Int?

    /// How many bytes they hold, as of then.
    let bytes: Int64?

    /// Whether other regions may write replicas of it that this one hears of later: a global table
    /// without strong consistency between regions. Then the write that is dated last wins, and a
    /// condition knows its own region alone (DynamoDB developer guide, "Global tables: consistency
    /// modes").
    let isReplicatedLater: Bool

    /// What its stream of changes tells.
    let stream: TableTraces.Stream

    /// The attributes of the key, in their order.
    var keys: [Key] { [hash] + (range.map { [$0] } ?? []) }

    /// The description in an answer.
    init(_ body: [UInt8]) throws(ItemFault) {
        // What cannot be parsed tells of no table.
        guard let table = (try? JSONNode(parsing: body))?["Table"] else {
            throw ItemFault(reason: "tells of no table")
        }
        var types: [String: KeyType] = [:]
        for definition in table["AttributeDefinitions"]?.elements ?? [] {
            guard let name = definition["AttributeName"]?.string else { continue }
            types[name] = definition["AttributeType"]?.string.flatMap(KeyType.init)
        }
        func key(_ role: String) -> Key? {
            let name = Self.names(table, role: role).first
            return name.flatMap { name in types[name].map { Key(name: name, type: $0) } }
        }
        guard let hash = key("HASH") else { throw ItemFault(reason: "tells of no key") }
        self.hash = hash
        range = key("RANGE")
        id = table["TableId"]?.string
        // An on-demand table tells of zero units.
        let isOnDemand =
            table["BillingModeSummary"]?["BillingMode"]?.string == "PAY_PER_REQUEST"
        let units = table["ProvisionedThroughput"]?["ReadCapacityUnits"]?.integer.map(Int.init)
        provisioned = isOnDemand ? nil : units.flatMap { $0 > 0 ? $0 : nil }
        let most = table["OnDemandThroughput"]?["MaxReadRequestUnits"]?.integer.map(Int.init)
        // -1 says that a bound was taken away.
        mostOnDemand = most.flatMap { $0 > 0 ? $0 : nil }
        items = table["ItemCount"]?.integer.map(Int.init)
        bytes = table["TableSizeBytes"]?.integer
        // GlobalTableVersion tells of a replicated table where the list of replicas is left out.
        let isGlobal =
            table["Replicas"]?.elements?.isEmpty == false
            || table["GlobalTableVersion"]?.string != nil
        isReplicatedLater = isGlobal && table["MultiRegionConsistency"]?.string != "STRONG"
        stream = Self.stream(table["StreamSpecification"])
        let indexes =
            (table["GlobalSecondaryIndexes"]?.elements ?? [])
            + (table["LocalSecondaryIndexes"]?.elements ?? [])
        indexed = Set(indexes.flatMap { Self.names($0, role: nil) })
    }

    private static func stream(_ node: JSONNode?) -> TableTraces.Stream {
        guard let node, node["StreamEnabled"]?.bool == true else { return .off }
        let holdsOld = ["OLD_IMAGE", "NEW_AND_OLD_IMAGES"]
        return holdsOld.contains(node["StreamViewType"]?.string ?? "") ? .withOld : .withoutOld
    }

    private static func names(_ node: JSONNode, role: String?) -> [String] {
        (node["KeySchema"]?.elements ?? []).compactMap { part in
            role == nil || part["KeyType"]?.string == role ? part["AttributeName"]?.string : nil
        }
    }
}

extension TableDescription.Key {
    // The longest key that the service takes.
    private static let longest = 2_048

    /// A part of an identifier as the key's typed value; nil where no item can have it.
    func typed(_ part: [UInt8]) -> [UInt8]? {
        guard !part.isEmpty, part.count <= Self.longest else { return nil }
        switch type {
        // What is no UTF-8 is no string.
        case .string: return try? AttributeWriter.text(part)
        case .number:
            // How many digits it may have is the service's to judge: a refusal is no absence.
            guard NumberText.isJSON(part) else { return nil }
            return Array("{\"N\":\"".utf8) + part + Array("\"}".utf8)
        case .binary: return Array("{\"B\":\"\(Base64.encode(part))\"}".utf8)
        }
    }
}
