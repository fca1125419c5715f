import MooringAWS
import MooringConfiguration
import MooringModel

/// One source's part of a policy: the tables that its list, prefix and suffix fit.
struct TablePolicy {
    private let name: String
    private let tables: [String]
    private let strategies: Set<Strategy>

    /// The part of a source of these settings, under a configuration of these strategies.
    init(_ name: String, _ settings: DynamoDBSettings, _ strategies: Set<Strategy>) {
        let region = settings.region ?? "*"
        let partition = Partition.of(region: region).id
        self.name = name
        self.strategies = strategies
        // IAM's own '*' stands for any text, as ours does in a table's name.
        let names = settings.tables?.map { $0.pattern.replacing("**", with: "*") } ?? ["*"]
        tables = names.map {
            "arn:\(partition):dynamodb:\(region):*:table/\(settings.tablePrefix)\($0)"
                + settings.tableSuffix
        }
    }

    /// What an audit asks, and `explain` of a record.
    var looking: [IAMPolicy.Statement] {
        [
            IAMPolicy.Statement(
                name: name + "List", actions: ["dynamodb:ListTables"], resources: ["*"]),
            IAMPolicy.Statement(
                name: name + "Read",
                actions: [
                    "dynamodb:DescribeContinuousBackups", "dynamodb:DescribeTable",
                    "dynamodb:DescribeTimeToLive", "dynamodb:GetItem", "dynamodb:Query",
                    "dynamodb:Scan",
                ], resources: tables),
        ]
    }

    /// What the strategies add.
    var acting: [IAMPolicy.Statement] {
        var actions: Set<String> = []
        if !strategies.isDisjoint(with: [.nullify, .repoint, .relink]) {
            actions.insert("dynamodb:UpdateItem")
        }
        if strategies.contains(.deleteRecord) {
            // A tombstone is an update, and an undo puts the record back.
            actions.formUnion([
                "dynamodb:DeleteItem", "dynamodb:PutItem", "dynamodb:UpdateItem",
            ])
        }
        guard !actions.isEmpty else { return [] }
        return [
            IAMPolicy.Statement(
                name: name + "Repair", actions: actions.sorted(), resources: tables)
        ]
    }
}

extension Configuration {
    /// The sources of live tables, with their settings, in the order of the file.
    var dynamodbSources: [(source: RecordsConfiguration, settings: DynamoDBSettings)] {
        records.compactMap { source in
            guard case .dynamodb(let settings) = source.store else { return nil }
            return (source, settings)
        }
    }
}
