import Crypto
import Glibc

/// The tests' own Signature Version 4, so that a fault in the product's does not hide itself.
struct Signature {
    /// The key id and its secret.
    let accessKey: String
    let secretKey: String
    /// The region that is signed for.
    let region: String
    /// The service that is signed for.
    var service = "s3"

    /// The headers that sign a request; path and query are encoded already, the query sorted.
    func headers(
        method: String, target: (path: String, query: String), host: String,
        headers given: [(name: String, value: String)], body: [UInt8]
    ) -> [(name: String, value: String)] {
        let stamp = Self.stamp()
        let hash = hex(SHA256.hash(data: body))
        let added = [("x-amz-date", stamp), ("x-amz-content-sha256", hash)]
        let all = (given + added + [("host", host)]).map { ($0.0.lowercased(), $0.1) }
            .sorted { $0.0 < $1.0 }
        let names = all.map(\.0).joined(separator: ";")
        let canonical =
            "\(method)\n\(target.path)\n\(target.query)\n"
            + all.map { "\($0.0):\($0.1)\n" }.joined()
            + "\n\(names)\n\(hash)"
        let scope = "\(stamp.prefix(8))/\(region)/\(service)/aws4_request"
        let text =
            "AWS4-HMAC-SHA256\n\(stamp)\n\(scope)\n" + hex(SHA256.hash(data: bytes(canonical)))
        var key = SymmetricKey(data: bytes("AWS4" + secretKey))
        for part in scope.split(separator: "/") {
            key = SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: bytes(part), using: key))
        }
        let signature = hex(HMAC<SHA256>.authenticationCode(for: bytes(text), using: key))
        let words =
            "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), "
            + "Signature=\(signature)"
        return added + [("authorization", words)]
    }

    private func bytes(_ text: some StringProtocol) -> [UInt8] { Array(text.utf8) }

    private static func stamp() -> String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(parts.tm_year + 1900)\(two(parts.tm_mon + 1))\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour))\(two(parts.tm_min))\(two(parts.tm_sec))Z"
    }
}

/// Bytes in hexadecimal digits.
func hex(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
        decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
}
