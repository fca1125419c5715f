import Foundation
import PlainS3
import TestServers

/// Where the records of a race lie, looked at without any of Mooring's code.
protocol RaceRecords {
    /// The kind and its settings, as one line of `mooring.yaml`.
    var configuration: String { get }
    /// What a device is told of them.
    var place: String { get }
    /// Adds a song that nobody touches, whose cover has its own id for a name.
    func rest(_ id: String) throws
    /// Each record's id and the value of one field, a list as JSON.
    func values(of field: String, in table: String) throws -> [(id: String, value: String?)]
}

/// A SQLite database.
struct SQLiteRaceRecords: RaceRecords {
    let configuration = "sqlite: ./app.sqlite"
    let place: String
    private let database: Database

    /// A new database in a folder.
    init(_ folder: String) throws {
        place = folder + "/app.sqlite"
        database = try Database(place)
        try database.run(
            """
            CREATE TABLE Song (id TEXT PRIMARY KEY, title TEXT, cover TEXT,
                version INTEGER, changed INTEGER);
            CREATE TABLE Album (id TEXT PRIMARY KEY, title TEXT, images TEXT,
                version INTEGER, changed INTEGER);
            CREATE TABLE Post (id TEXT PRIMARY KEY, title TEXT, file TEXT);
            CREATE TABLE Note (id TEXT PRIMARY KEY, title TEXT, body TEXT)
            """)
    }

    func rest(_ id: String) throws {
        try database.run(
            "INSERT INTO Song VALUES (?, 'A title', ?, 1, \(App.milliseconds(ago: Age.day)))",
            Array(id.utf8), Array(id.utf8))
    }

    func values(of field: String, in table: String) throws -> [(id: String, value: String?)] {
        try database.rows("SELECT id, \(field) FROM \(table)").map { ($0[0] ?? "", $0[1]) }
    }
}

/// Tables of a real server of DynamoDB.
struct DynamoDBRaceRecords: RaceRecords {
    let configuration: String
    let place: String
    private let prefix: String
    private let plain: PlainDynamoDB

    /// New tables; what keeps the devices apart lies in a folder.
    init(_ server: DynamoDBTestServer, folder: String) throws {
        plain = server.plain
        prefix = DynamoDBTestServer.makePrefix()
        configuration =
            "dynamodb: {region: \(server.region), endpoint: \"\(server.endpoint)\", "
            + "tablePrefix: \"\(prefix)\"}"
        place = "dynamodb:\(server.port):\(prefix):\(folder)/devices.lock"
        for table in ["Song", "Album", "Post", "Note"] {
            try plain.makeTable(prefix + table, hash: "id")
        }
    }

    func rest(_ id: String) throws {
        let changed = App.milliseconds(ago: Age.day)
        try plain.put(
            prefix + "Song",
            #"{"id":{"S":"\#(id)"},"title":{"S":"A title"},"cover":{"S":"\#(id)"},"#
                + #""version":{"N":"1"},"changed":{"N":"\#(changed)"}}"#)
    }

    func values(of field: String, in table: String) throws -> [(id: String, value: String?)] {
        // A race's tables are smaller than a page.
        let body = try plain.call(
            "Scan", #"{"TableName":"\#(prefix)\#(table)","ConsistentRead":true}"#)
        return try JSON(parsing: String(decoding: body, as: UTF8.self))["Items"].elements.map {
            ($0["id"]["S"].string ?? "", Self.text($0[field]))
        }
    }

    private static func text(_ value: JSON) -> String? {
        if let text = value["S"].string { return text }
        guard !value["L"].isNull else { return nil }
        let texts = value["L"].elements.map { $0["S"].string.map { "\"\($0)\"" } ?? "null" }
        return "[" + texts.joined(separator: ",") + "]"
    }
}
