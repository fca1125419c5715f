import MooringAWS
import Testing

@Suite struct ErrorCodeTests {
    private func find(_ text: String) -> String? { ErrorCode.find(in: Array(text.utf8)) }

    @Test func findsTheCodeOfXMLAndJSON() {
        #expect(find("<?xml?><Error><Code>SlowDown</Code><Message>x</Message>") == "SlowDown")
        #expect(find("<Error><Code>KMS.DisabledException</Code>") == "KMS.DisabledException")
        #expect(
            find("{\"__type\":\"com.amazonaws.dynamodb.v20120810#ThrottlingException\"}")
                == "ThrottlingException")
        #expect(
            find("{\"__type\": \"ExpiredTokenException\", \"message\": \"x\"}")
                == "ExpiredTokenException")
    }

    @Test(arguments: [
        "", "<html>503</html>", "<Error><Code></Code>", "<Error><Code>a b</Code>",
        "<Error><Code>\u{1b}[2J</Code>", "{\"__type\"", "{\"__type\": \"",
    ])
    func takesNothingElseForOne(_ text: String) { #expect(find(text) == nil) }

    @Test func knowsAnErrorUnderA200() {
        let isError = { (text: String) in ErrorCode.isError(Array(text.utf8)) }
        #expect(isError("<Error><Code>InternalError</Code></Error>"))
        #expect(isError("  \n<?xml version=\"1.0\"?>\n<Error xmlns=\"x\"><Code>"))
        #expect(!isError("<CopyObjectResult><ETag>x</ETag></CopyObjectResult>"))
        #expect(!isError("<DeleteResult><Error><Code>AccessDenied</Code></Error></DeleteResult>"))
        #expect(!isError("<Errors>") && !isError("") && !isError("<?xml"))
    }

    @Test func anUnknownErrorUnderA200ProvesNothing() {
        #expect(ErrorCode.status(of: "InternalError") == 500)
        #expect(ErrorCode.status(of: "") == 500)
        #expect(ErrorCode.status(of: "SlowDown") == 503)
        #expect(ErrorCode.status(of: "PreconditionFailed") == 412)
    }
}
