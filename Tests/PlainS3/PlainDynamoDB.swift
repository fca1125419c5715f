/// A small blocking client of DynamoDB for tests: plain HTTP on loopback, a connection for each
/// call, signed with code of its own. It is for arranging and for looking afterwards.
package struct PlainDynamoDB: Sendable {
    /// The port of 127.0.0.1 where the server listens.
    package let port: Int
    private let signature: Signature

    /// A client.
    package init(
        port: Int, accessKey: String, secretKey: String, region: String = "us-east-1"
    ) {
        self.port = port
        signature = Signature(
            accessKey: accessKey, secretKey: secretKey, region: region, service: "dynamodb")
    }

    /// Sends a call with a body of JSON; returns the answer, whatever its status.
    package func send(_ call: String, _ body: String) throws -> Message {
        let host = "127.0.0.1:\(port)"
        let body = Array(body.utf8)
        var headers = [
            (name: "content-type", value: "application/x-amz-json-1.0"),
            (name: "x-amz-target", value: "DynamoDB_20120810.\(call)"),
        ]
        headers += signature.headers(
            method: "POST", target: ("/", ""), host: host, headers: headers, body: body)
        headers += [("host", host), ("content-length", String(body.count))]
        let wire = try Wire(port: port)
        try wire.send(Message(first: "POST / HTTP/1.1", headers: headers).head + body)
        return try Message.answer(from: wire, to: "POST")
    }

    /// Sends a call that has to succeed; returns the answer's body.
    @discardableResult
    package func call(_ name: String, _ body: String) throws -> [UInt8] {
        let answer = try send(name, body)
        guard answer.status == 200 else {
            let told = String(decoding: answer.body.prefix(500), as: UTF8.self)
            throw WireError("\(name): \(answer.first) \(told)")
        }
        return answer.body
    }

    /// Makes a table of a partition key, and of a sort key where one is named; all are texts.
    package func makeTable(_ name: String, hash: String, range: String? = nil) throws {
        let keys = [(hash, "HASH")] + (range.map { [($0, "RANGE")] } ?? [])
        let schema = keys.map { #"{"AttributeName":"\#($0.0)","KeyType":"\#($0.1)"}"# }
        let types = keys.map { #"{"AttributeName":"\#($0.0)","AttributeType":"S"}"# }
        try call(
            "CreateTable",
            #"{"TableName":"\#(name)","BillingMode":"PAY_PER_REQUEST","KeySchema":["#
                + schema.joined(separator: ",") + #"],"AttributeDefinitions":["#
                + types.joined(separator: ",") + "]}")
    }

    /// Puts an item, as typed JSON.
    package func put(_ table: String, _ item: String) throws {
        try call("PutItem", #"{"TableName":"\#(table)","Item":\#(item)}"#)
    }
}
