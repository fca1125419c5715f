import MooringAWS
import MooringModel
import Testing

/// One published case: a request, when and by whom it is signed, and the signature.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let name: String
    let method: String
    let path: String
    let query: [(String, String)]
    let headers: [(String, String)]
    let body: String
    let token: String?
    let signedHeaders: String
    let signature: String

    init(
        _ name: String, _ method: String = "GET", _ path: String = "/",
        query: [(String, String)] = [], headers: [(String, String)] = [], body: String = "",
        token: String? = nil, signs signedHeaders: String, _ signature: String
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
        self.token = token
        self.signedHeaders = signedHeaders
        self.signature = signature
    }

    var testDescription: String { name }

    func request(to host: String) -> AWSRequest {
        AWSRequest(
            name, method: method, origin: Origin(host: host), path: Array(path.utf8),
            query: query.map { .init($0.0, $0.1) }, headers: headers.map { ($0.0, $0.1) },
            body: Array(body.utf8), isRepeatable: true)
    }
}

/// The cases of AWS's signature test suite, but for those that normalise a path, which S3 does not.
enum SuiteVectors {
    static let signer = Signer(region: "us-east-1", service: "service")
    static let host = "example.amazonaws.com"
    static let moment = Instant(seconds: 1_440_938_160)  // 2015-08-30T12:36:00Z

    static func credentials(_ token: String?) -> Credentials {
        Credentials(
            accessKeyID: "AKIDEXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", sessionToken: token)
    }

    private static let unreserved =
        "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let plain = "host;x-amz-date"
    private static let one = "host;my-header1;x-amz-date"
    private static let form = "application/x-www-form-urlencoded"

    static let all = headers + paths + queries + posts

    private static let headers = [
        SignatureVector(
            "get-header-key-duplicate",
            headers: [
                ("my-header1", "value2"), ("my-header1", "value2"), ("my-header1", "value1"),
            ], signs: one,
            "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        SignatureVector(
            "get-header-value-multiline", headers: [("my-header1", "value1,value2,value3")],
            signs: one, "ba17b383a53190154eb5fa66a1b836cc297cc0a3d70a5d00705980573d8ff790"),
        SignatureVector(
            "get-header-value-order",
            headers: ["value4", "value1", "value3", "value2"].map { ("my-header1", $0) },
            signs: one, "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        SignatureVector(
            "get-header-value-trim",
            headers: [("my-header1", " value1"), ("my-header2", " \"a   b   c\"")],
            signs: "host;my-header1;my-header2;x-amz-date",
            "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    ]

    private static let paths = [
        SignatureVector(
            "get-vanilla", signs: plain,
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        SignatureVector(
            "get-unreserved", "GET", "/" + unreserved, signs: plain,
            "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        SignatureVector(
            "get-utf8", "GET", "/\u{1234}", signs: plain,
            "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        SignatureVector(
            "get-space", "GET", "/example space/", signs: plain,
            "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
    ]

    private static let queries = [
        SignatureVector(
            "get-vanilla-empty-query-key", query: [("Param1", "value1")], signs: plain,
            "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
        SignatureVector(
            "get-vanilla-query-order-key", query: [("Param1", "value2"), ("Param1", "Value1")],
            signs: plain, "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
        SignatureVector(
            "get-vanilla-query-order-key-case",
            query: [("Param2", "value2"), ("Param1", "value1")], signs: plain,
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        SignatureVector(
            "get-vanilla-query-order-value", query: [("Param1", "value2"), ("Param1", "value1")],
            signs: plain, "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
        SignatureVector(
            "get-vanilla-query-unreserved", query: [(unreserved, unreserved)], signs: plain,
            "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
        SignatureVector(
            "get-vanilla-utf8-query", query: [("\u{1234}", "bar")], signs: plain,
            "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
    ]

    private static let posts = [
        SignatureVector(
            "post-vanilla", "POST", signs: plain,
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        SignatureVector(
            "post-header-key-sort", "POST", headers: [("my-header1", "value1")], signs: one,
            "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        SignatureVector(
            "post-header-value-case", "POST", headers: [("My-Header1", "VALUE1")], signs: one,
            "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        SignatureVector(
            "post-vanilla-query", "POST", query: [("Param1", "value1")], signs: plain,
            "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        SignatureVector(
            "post-x-www-form-urlencoded", "POST", headers: [("content-type", form)],
            body: "Param1=value1", signs: "content-type;host;x-amz-date",
            "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        SignatureVector(
            "post-x-www-form-urlencoded-parameters", "POST",
            headers: [("content-type", form + "; charset=utf8")], body: "Param1=value1",
            signs: "content-type;host;x-amz-date",
            "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
        SignatureVector(
            "post-sts-header-before", "POST",
            token: "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBu"
                + "FqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmU"
                + "pp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY"
                + "9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvK"
                + "Tr4rvx3iSIlTJabIQwj2ICCR/oLxBA==",
            signs: "host;x-amz-date;x-amz-security-token",
            "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
    ]
}

/// The examples of S3's own documentation.
enum S3Vectors {
    static let signer = Signer(region: "us-east-1", service: "s3")
    static let host = "examplebucket.s3.amazonaws.com"
    static let moment = Instant(seconds: 1_369_353_600)  // 2013-05-24T00:00:00Z
    static let credentials = Credentials(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")

    private static let plain = "host;x-amz-content-sha256;x-amz-date"

    static let all = [
        SignatureVector(
            "GET Object", "GET", "/test.txt", headers: [("range", "bytes=0-9")],
            signs: "host;range;x-amz-content-sha256;x-amz-date",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        SignatureVector(
            "PUT Object", "PUT", "/test$file.text",
            headers: [
                ("date", "Fri, 24 May 2013 00:00:00 GMT"),
                ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
            ], body: "Welcome to Amazon S3.",
            signs: "date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        SignatureVector(
            "GET Bucket Lifecycle", query: [("lifecycle", "")], signs: plain,
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        SignatureVector(
            "GET Bucket (List Objects)", query: [("prefix", "J"), ("max-keys", "2")],
            signs: plain, "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]
}
