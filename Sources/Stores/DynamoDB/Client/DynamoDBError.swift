import MooringAWS
import MooringModel

/// What DynamoDB says when it refuses a call.
struct DynamoDBError: Error, Hashable {
    /// The call's name.
    let call: String
    /// The status.
    let status: Int
    /// The code, such as `ResourceNotFoundException`; of an answer without one, from the status.
    let code: String
    /// The message, which may be empty and may hold values of the request.
    let message: String
    /// The service's name for the request; nil when it gave none.
    let requestID: String?
    /// Whether an earlier sending of the call may have been carried out.
    let followsDoubt: Bool

    /// The refusal in an answer.
    init(call: String, _ response: AWSResponse) {
        self.call = call
        status = response.status
        code = ErrorCode.find(in: response.body) ?? "HTTP \(response.status)"
        // A body that is no JSON has no message.
        let node = try? JSONNode(parsing: response.body)
        message = node?["message"]?.string ?? node?["Message"]?.string ?? ""
        requestID = response["x-amzn-requestid"]
        followsDoubt = response.followsDoubt
    }

    /// Whether the service said no before it did anything: nothing was done, nor will be.
    var isRefusal: Bool {
        !followsDoubt && (400..<500).contains(status) && status != 408
    }

    /// Whether the service says that a condition does not hold, maybe because an earlier try, whose
    /// answer was lost, was carried out.
    var saysConditionFailed: Bool { code == "ConditionalCheckFailedException" }

    /// Whether the service says that a condition of the write does not hold, so that nothing was
    /// written.
    var isFailedCondition: Bool { saysConditionFailed && isRefusal }

    /// Whether the service asked for fewer requests until the end.
    var isThrottling: Bool {
        RetryRule.asksToSlowDown(.answered(status: status, code: code))
    }
}
