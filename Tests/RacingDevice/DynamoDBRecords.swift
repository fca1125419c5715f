import Foundation
import Glibc
import PlainS3

/// The records in tables of DynamoDB: a list of texts as L, every other value as S.
///
/// A lock on a file keeps the devices' writes apart, so that their order is known afterwards;
/// whoever else writes is not kept apart from them.
final class DynamoDBRecords: Records {
    let canRollBack = false
    private let client: PlainDynamoDB
    private let prefix: String
    private let lock: Int32

    /// The tables that `dynamodb:PORT:PREFIX:LOCK` names; nil for any other text.
    init?(_ place: String, accessKey: String, secretKey: String) throws {
        let parts = place.split(separator: ":", maxSplits: 3).map(String.init)
        guard parts.count == 4, parts[0] == "dynamodb", let port = Int(parts[1]) else { return nil }
        client = PlainDynamoDB(port: port, accessKey: accessKey, secretKey: secretKey)
        prefix = parts[2]
        lock = open(parts[3], O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw Trouble("\(parts[3]) cannot be opened") }
    }

    deinit { close(lock) }

    func begin() throws {
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Trouble("the lock cannot be had") }
        }
    }

    func rollBack() throws { flock(lock, LOCK_UN) }
    func commit() throws { flock(lock, LOCK_UN) }

    func put(_ write: Hand.Write, at now: Int64) throws -> Bool {
        let table = write.table
        var call: [String: Any] = [
            "TableName": prefix + table.name, "Key": ["id": ["S": write.id]],
        ]
        var (sets, names) = (["#f = :f"], ["#f": table.field])
        var values: [String: Any] = [:]
        switch write.content {
        case .nothing:
            call["ReturnValues"] = "ALL_OLD"
            return try send("DeleteItem", call)?["Attributes"] != nil
        case .value(let value):
            values[":f"] = Self.typed(value)
            call["ConditionExpression"] = "attribute_exists(id)"
        case .whole(let title, let value):
            sets.append("#t = :t")
            names["#t"] = "title"
            (values[":f"], values[":t"]) = (Self.typed(value), ["S": title])
        }
        if table.isVersioned {
            sets += ["#v = if_not_exists(#v, :zero) + :one", "#c = :c"]
            names.merge(["#v": "version", "#c": "changed"]) { own, _ in own }
            values[":c"] = ["N": String(now / Clock.milliseconds)]
            (values[":zero"], values[":one"]) = (["N": "0"], ["N": "1"])
        }
        call["UpdateExpression"] = "SET " + sets.joined(separator: ", ")
        (call["ExpressionAttributeNames"], call["ExpressionAttributeValues"]) = (names, values)
        return try send("UpdateItem", call) != nil
    }

    func read(_ table: Table, _ id: String) throws -> (title: String, value: String?)? {
        let answer = try send(
            "GetItem",
            [
                "TableName": prefix + table.name, "Key": ["id": ["S": id]], "ConsistentRead": true,
            ])
        guard let item = answer?["Item"] as? [String: [String: Any]] else { return nil }
        return (item["title"]?["S"] as? String ?? "", Self.text(item[table.field]))
    }

    private static func typed(_ value: String?) -> [String: Any] {
        guard let value else { return ["NULL": true] }
        // What is no list of texts is a text.
        let list = try? JSONSerialization.jsonObject(with: Data(value.utf8)) as? [String]
        return list.map { ["L": $0.map { ["S": $0] }] } ?? ["S": value]
    }

    private static func text(_ value: [String: Any]?) -> String? {
        if let text = value?["S"] as? String { return text }
        guard let list = value?["L"] as? [[String: Any]] else { return nil }
        let texts = list.map { ($0["S"] as? String).map { "\"\($0)\"" } ?? "null" }
        return "[" + texts.joined(separator: ",") + "]"
    }

    // The answer; nil where a condition does not hold.
    private func send(_ name: String, _ call: [String: Any]) throws -> [String: Any]? {
        let body = try JSONSerialization.data(withJSONObject: call)
        let answer = try client.send(name, String(decoding: body, as: UTF8.self))
        if answer.status == 400,
            String(decoding: answer.body, as: UTF8.self).contains("ConditionalCheckFailed")
        {
            return nil
        }
        guard answer.status == 200 else { throw Trouble("\(name): \(answer.first)") }
        return try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    }
}
