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

    private func signature(
        _ path: [UInt8] = Array("/k".utf8), query: [AWSRequest.Parameter] = [],
        headers: [(name: String, value: String)] = [], body: String = "",
        signer: Signer = S3Vectors.signer, credentials: Credentials = S3Vectors.credentials,
        at moment: Instant = S3Vectors.moment, origin: Origin = Origin(host: "h")
    ) -> [(name: String, value: String)] {
        signer.sign(
            AWSRequest(
                "X", method: "GET", origin: origin, path: path, query: query, headers: headers,
                body: Array(body.utf8), isRepeatable: true),
            with: credentials, at: moment)
    }

    private func text(_ headers: [(name: String, value: String)]) -> String {
        headers.last?.value ?? ""
    }

    @Test func aPathIsNeitherNormalisedNorEncodedTwice() {
        let keys = ["/", "//", "/./", "/a/../b", "/b", "/%2F", "/a+b", "/a b", "/a%20b", "//b"]
        let all = Set(keys.map { text(signature(Array($0.utf8))) })
        #expect(all.count == keys.count)
        #expect(text(signature([0x2F, 0xFF])) != text(signature(Array("/\u{FFFD}".utf8))))
    }

    @Test func everyPartThatMeansSomethingIsSigned() {
        let plain = text(signature())
        #expect(plain != text(signature(body: "x")))
        #expect(plain != text(signature(query: [.init("a")])))
        #expect(plain != text(signature(headers: [("if-match", "\"e\"")])))
        #expect(plain != text(signature(origin: Origin(host: "i"))))
        #expect(plain != text(signature(at: S3Vectors.moment + .seconds(1))))
        #expect(
            text(signature(query: [.init("a", "1"), .init("a", "2")]))
                != text(signature(query: [.init("a", "1"), .init("a", "1")])))
    }

    @Test func whatAProxyMayChangeIsNotSigned() {
        let proxied = [("user-agent", "x"), ("Expect", "100-continue"), ("connection", "close")]
        #expect(text(signature(headers: proxied.map { ($0.0, $0.1) })) == text(signature()))
    }

    @Test func anEmptyValueAndABlankOneAreTheSame() {
        #expect(
            text(signature(headers: [("x-amz-meta-a", "")]))
                == text(signature(headers: [("x-amz-meta-a", "   ")])))
        #expect(text(signature(headers: [("x-amz-meta-a", "")])) != text(signature()))
    }

    @Test func theBodyIsSignedUnlessTheRequestSaysOtherwise() throws {
        let headers = signature(body: "Welcome to Amazon S3.")
        #expect(
            headers.first { $0.name == "x-amz-content-sha256" }?.value
                == "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072")
        let given = [("x-amz-content-sha256", "UNSIGNED-PAYLOAD")].map { ($0.0, $0.1) }
        let unsigned = signature(headers: given, body: "a")
        #expect(unsigned.count { $0.name == "x-amz-content-sha256" } == 1)
        #expect(text(unsigned) == text(signature(headers: given, body: "b")))
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
                    text(signature(signer: shared, credentials: credentials, at: moment))
                        == text(signature(signer: fresh, credentials: credentials, at: moment)))
            }
        }
    }
}
