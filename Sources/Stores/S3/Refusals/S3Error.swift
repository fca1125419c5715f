package import MooringAWS

/// What S3 says when it refuses a call.
package struct S3Error: Error, Hashable, Sendable {
    /// The call's name.
    package let call: String
    /// The status of HTTP.
    package let status: Int
    /// The code, such as `AccessDenied`; of an answer without a body, made from the status.
    package let code: String
    /// The message, which may be empty; it may name the bucket and the key.
    package let message: String
    /// The service's name for the request, by which its operators find it; nil when it gave none.
    package let requestID: String?
    /// The region that the answer names; nil when it names none.
    package let region: String?
    /// Whether an earlier sending of the call may have been carried out.
    package let followsDoubt: Bool

    /// A refusal.
    package init(
        call: String, status: Int, code: String, message: String, requestID: String? = nil,
        region: String? = nil, followsDoubt: Bool = false
    ) {
        self.call = call
        self.status = status
        self.code = code
        self.message = message
        self.requestID = requestID
        self.region = region
        self.followsDoubt = followsDoubt
    }

    /// The refusal in an answer.
    package init(call: String, _ response: AWSResponse) {
        let texts = XMLDocument.texts(of: ["Code", "Message", "Region"], in: response.body)
        self.init(
            call: call, status: response.status,
            // A body that is no XML may still hold a word that can be told.
            code: texts["Code"] ?? ErrorCode.find(in: response.body) ?? "HTTP \(response.status)",
            message: texts["Message"] ?? "", requestID: response["x-amz-request-id"],
            region: response["x-amz-bucket-region"] ?? texts["Region"],
            followsDoubt: response.followsDoubt)
    }

    /// Whether the service said no before it did anything: nothing was done, nor will be.
    package var isRefusal: Bool {
        guard !followsDoubt else { return false }
        if status == 408 || code == "RequestTimeout" { return false }
        // What a service does not know it does not do.
        if status == 501, code == "NotImplemented" { return true }
        return (300..<500).contains(status)
    }
}
