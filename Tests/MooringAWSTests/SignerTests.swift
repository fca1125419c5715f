import MooringAWS
import MooringModel
import Testing

@Suite struct SignerTests {
    @Test(arguments: SuiteVectors.all) func signsAsTheTestSuiteDoes(vector: SignatureVector) {
        let headers = SuiteVectors.signer.sign(
            vector.request(to: SuiteVectors.host),
            with: SuiteVectors.credentials(vector.token), at: SuiteVectors.moment)
        #expect(
            headers.last?.value
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request"
                + ", SignedHeaders=\(vector.signedHeaders), Signature=\(vector.signature)")
    }

    @Test(arguments: S3Vectors.all) func signsAsTheExamplesOfS3(vector: SignatureVector) {
        let headers = S3Vectors.signer.sign(
            vector.request(to: S3Vectors.host), with: S3Vectors.credentials,
            at: S3Vectors.moment)
        #expect(
            headers.last?.value
                == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/"
                + "aws4_request, SignedHeaders=\(vector.signedHeaders), "
                + "Signature=\(vector.signature)")
    }

    /// What a request is made of and signed with; plain unless a test says otherwise.
    private struct Signing {
        var path = Array("/k".utf8)
        var query: [AWSRequest.Parameter] = []
        var headers: [(name: String, value: String)] = []
        var body = ""
        var signer = S3Vectors.signer
        var credentials = S3Vectors.credentials
        var moment = S3Vectors.moment
        var origin = Origin(host: "h")

        var signed: [(name: String, value: String)] {
            signer.sign(
                AWSRequest(
                    "X", method: "GET", origin: origin, path: path, query: query,
                    headers: headers, body: Array(body.utf8), isRepeatable: true),
                with: credentials, at: moment)
        }

        var text: String { signed.last?.value ?? "" }
    }

    @Test func aPathIsNeitherNormalisedNorEncodedTwice() {
        let keys = ["/", "//", "/./", "/a/../b", "/b", "/%2F", "/a+b", "/a b", "/a%20b", "//b"]
        let all = Set(keys.map { Signing(path: Array($0.utf8)).text })
        #expect(all.count == keys.count)
        #expect(Signing(path: [0x2F, 0xFF]).text != Signing(path: Array("/\u{FFFD}".utf8)).text)
    }

    @Test func everyPartThatMeansSomethingIsSigned() {
        let plain = Signing().text
        #expect(plain != Signing(body: "x").text)
        #expect(plain != Signing(query: [.init("a")]).text)
        #expect(plain != Signing(headers: [("if-match", "\"e\"")]).text)
        #expect(plain != Signing(origin: Origin(host: "i")).text)
        #expect(plain != Signing(moment: S3Vectors.moment + .seconds(1)).text)
        #expect(
            Signing(query: [.init("a", "1"), .init("a", "2")]).text
                != Signing(query: [.init("a", "1"), .init("a", "1")]).text)
    }

    @Test func whatAProxyMayChangeIsNotSigned() {
        let proxied = [("user-agent", "x"), ("Expect", "100-continue"), ("connection", "close")]
        #expect(Signing(headers: proxied.map { ($0.0, $0.1) }).text == Signing().text)
    }

    @Test func anEmptyValueAndABlankOneAreTheSame() {
        #expect(
            Signing(headers: [("x-amz-meta-a", "")]).text
                == Signing(headers: [("x-amz-meta-a", "   ")]).text)
        #expect(Signing(headers: [("x-amz-meta-a", "")]).text != Signing().text)
    }

    @Test func theBodyIsSignedUnlessTheRequestSaysOtherwise() throws {
        let headers = Signing(body: "Welcome to Amazon S3.").signed
        #expect(
            headers.first { $0.name == "x-amz-content-sha256" }?.value
                == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        let given = [("x-amz-content-sha256", "UNSIGNED-PAYLOAD")].map { ($0.0, $0.1) }
        let unsigned = Signing(headers: given, body: "a")
        #expect(unsigned.signed.count { $0.name == "x-amz-content-sha256" } == 1)
        #expect(unsigned.text == Signing(headers: given, body: "b").text)
    }

    @Test func aSchemesOwnPortIsNoPartOfTheHost() {
        #expect(Origin(host: "h", port: 443).authority == "h")
        #expect(Origin(isSecure: false, host: "h", port: 80).authority == "h")
        #expect(Origin(isSecure: false, host: "h", port: 443).authority == "h:443")
    }

    @Test func aKeptKeyIsForgottenWithTheDayAndTheSecret() {
        let shared = Signer(region: "eu-west-1", service: "s3")
        let other = Credentials(
            accessKeyID: S3Vectors.credentials.accessKeyID, secretAccessKey: "another")
        for moment in [S3Vectors.moment, S3Vectors.moment + .days(1), S3Vectors.moment] {
            for credentials in [S3Vectors.credentials, other, other, S3Vectors.credentials] {
                let fresh = Signer(region: "eu-west-1", service: "s3")
                #expect(
                    Signing(signer: shared, credentials: credentials, moment: moment).text
                        == Signing(signer: fresh, credentials: credentials, moment: moment).text)
            }
        }
    }
}
