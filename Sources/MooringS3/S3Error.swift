package import MooringAWS

/// What S3 says when it refuses a call.
package struct S3Error: Error, Hashable, Sendable {
    /// The call's name.
    package let call: String
    /// The status.
    package let status: Int
    /// The code, such as `AccessDenied`; of an answer without a body, made from the status.
    package let code: String
    /// The message, which may be empty; it may name the bucket and the key.
    package let message: String

    /// A refusal.
    package init(call: String, status: Int, code: String, message: String) {
        self.call = call
        self.status = status
        self.code = code
        self.message = message
    }

    /// The refusal in an answer.
    package init(call: String, _ response: AWSResponse) {
        let texts = XMLDocument.texts(of: ["Code", "Message"], in: response.body)
        self.init(
            call: call, status: response.status, code: texts["Code"] ?? "HTTP \(response.status)",
            message: texts["Message"] ?? "")
    }
}
