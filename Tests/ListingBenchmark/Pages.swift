import MooringAWS
import MooringModel
import Synchronization

/// Answers with the pages of a bucket that exists nowhere, made before the clock starts: what
/// listing them takes is what reading takes.
final class PageServer: AWSCaller {
    private let pages: [[UInt8]]
    private let next = Counter()

    /// Pages of a thousand keys, as rclone writes them.
    init(count: Int) {
        pages = (0..<count).map { page in
            let objects = (0..<1_000).map { Self.object(page * 1_000 + $0) }.joined()
            return Array(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
                <Name>million</Name><Prefix></Prefix><MaxKeys>1000</MaxKeys>\
                <EncodingType>url</EncodingType><IsTruncated>\(page + 1 < count)</IsTruncated>\
                \(objects)</ListBucketResult>
                """.utf8)
        }
    }

    var requestCounts: [String: Int] { [:] }

    func send(_ request: AWSRequest) async throws -> AWSResponse {
        AWSResponse(status: 200, headers: [], body: pages[next.take()])
    }

    private static func object(_ number: Int) -> String {
        let digits = String(number)
        let name = String(repeating: "0", count: 9 - digits.count) + digits
        return """
            <Contents><Key>private/eu-west-1%3A00000000-0000-4000-8000-000000000000/\(name).png\
            </Key><LastModified>2026-11-21T10:00:00.123Z</LastModified>\
            <ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag><Size>0</Size>\
            <Owner><ID>fe7272ea58be830e56fe1663b10fafef</ID><DisplayName>x</DisplayName></Owner>\
            <StorageClass>STANDARD</StorageClass></Contents>
            """
    }
}
