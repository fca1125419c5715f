import MooringAWS
import MooringModel
import MooringText

/// A refusal in words: what was found, which permission is missing, and the next step.
struct DynamoDBRefusal {
    /// The client that was refused.
    let client: DynamoDBClient
    /// The table's own name; nil where the call was about none.
    let table: String?

    private struct Words {
        let found: String
        var hint: String?
        var showsMessage = false
    }

    /// What a call threw as an error of the store; nil of what is no failure of the call, such as
    /// a cancellation.
    func storeError(_ error: any Error) -> StoreError? {
        switch error {
        case let error as StoreError: return error
        case let error as DynamoDBError: return storeError(error)
        case let fault as ItemFault:
            return StoreError(
                place: place, reason: "an answer \(fault.reason)",
                hint: "see that the endpoint is DynamoDB's, or speaks its language")
        case let failure as AWSFailure:
            return StoreError(
                place: place, reason: "\(failure.call): \(failure.reason)", hint: failure.hint)
        default: return nil
        }
    }

    /// `dynamodb REGION, table NAME`.
    var place: String {
        "dynamodb \(client.region)" + (table.map { ", table \(Quoted.name($0))" } ?? "")
    }

    private func storeError(_ error: DynamoDBError) -> StoreError {
        let words = words(error)
        var facts = [error.code]
        if !error.code.hasPrefix("HTTP ") { facts.append("status \(error.status)") }
        if let id = error.requestID, Self.isPlain(id) { facts.append("request \(id)") }
        if error.followsDoubt { facts.append("after a sending without an answer") }
        var reason = "\(error.call): \(words.found) (\(facts.joined(separator: ", ")))"
        if words.showsMessage, let message = shown(error.message) { reason += ": " + message }
        return StoreError(
            place: place, reason: reason, hint: words.hint, isRefusal: error.isRefusal)
    }

    private func words(_ error: DynamoDBError) -> Words {
        if error.isThrottling {
            return Words(
                found: "the service asks to slow down, after several sendings still",
                hint: "set a lower readCapacity under dynamodb:, or give the table more capacity, "
                    + "and run the command again")
        }
        return credentialWords(error.code) ?? placeWords(error) ?? stateWords(error)
            ?? Words(found: "the service refused", showsMessage: !isAboutItems(error.call))
    }

    private func credentialWords(_ code: String) -> Words? {
        switch code {
        case "UnrecognizedClientException", "InvalidAccessKeyId", "InvalidClientTokenId":
            Words(
                found: "the service does not know the access key, or its session token",
                hint: "check AWS_ACCESS_KEY_ID, AWS_SESSION_TOKEN or the profile")
        case "InvalidSignatureException", "SignatureDoesNotMatch":
            Words(
                found: "the signature is not the one that the service computes: the secret access "
                    + "key is another one, or the endpoint is of another region than "
                    + client.region,
                hint: "check AWS_SECRET_ACCESS_KEY or the profile, and region and endpoint under "
                    + "dynamodb:")
        case "ExpiredTokenException", "ExpiredToken", "TokenRefreshRequired":
            Words(
                found: "the temporary credentials have ended",
                hint: "get new ones, and run the command again")
        case "MissingAuthenticationToken", "MissingAuthenticationTokenException",
            "IncompleteSignatureException", "IncompleteSignature":
            Words(
                found: "the service wants another signature than that of DynamoDB",
                hint: "check endpoint under dynamodb:")
        case "RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture":
            Words(
                found: "this machine's clock and the service's differ"
                    + (client.clockDifference.map { " by up to \($0.label)" } ?? "")
                    + ", more than a signature bears",
                hint: "set this machine's clock, and run the command again")
        default: nil
        }
    }

    private func placeWords(_ error: DynamoDBError) -> Words? {
        switch error.code {
        case "AccessDeniedException", "AccessDenied", "HTTP 403", "HTTP 401":
            return Words(
                found: "no permission; it needs dynamodb:\(error.call)",
                hint: "`mooring iam-policy --for audit` or `--for repair` prints what to allow",
                showsMessage: true)
        case "ResourceNotFoundException":
            return Words(
                found: "there is no such table in \(client.region)",
                hint: "check table under models, and region, tablePrefix and tableSuffix under "
                    + "dynamodb:")
        case "ResourceInUseException":
            return Words(
                found: "the table is being made or deleted", hint: "run the command again later")
        case "UnknownOperationException":
            return Words(
                found: "the service does not know this call",
                hint: "check endpoint under dynamodb:")
        default: return nil
        }
    }

    private func stateWords(_ error: DynamoDBError) -> Words? {
        switch error.code {
        case "TransactionConflictException":
            return Words(
                found: "a transaction of somebody else's writes the same record at this moment",
                hint: "run the command again")
        case "ItemCollectionSizeLimitExceededException":
            return Words(found: "the records under this partition key take all their room already")
        case "ValidationException" where error.message.lowercased().contains("size"):
            return Words(found: "the record would be larger than the service takes (400 KB)")
        case _ where error.status >= 500:
            return Words(
                found: "the service failed"
                    + (isAboutItems(error.call) ? ", and may have done what was asked" : ""),
                hint: "run the command again when it is well")
        default: return nil
        }
    }

    // A message about an item may hold its values.
    private func isAboutItems(_ call: String) -> Bool {
        ["GetItem", "Query", "UpdateItem", "PutItem", "DeleteItem"].contains(call)
    }

    // A service may repeat in its message what it was sent, and headers hold signatures.
    private func shown(_ message: String) -> String? {
        let text = Quoted.line(message)
        let lowered = text.lowercased()
        guard !text.isEmpty,
            !["signature", "token", "credential", "authorization: "].contains(where: {
                lowered.contains($0)
            })
        else { return nil }
        return text
    }

    private static func isPlain(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

/// Shows texts of somebody else's, so that none of them can act on a terminal.
enum Quoted {
    /// A name between quotes, its end left out after 100 bytes.
    static func name(_ name: String) -> String { quotedName(Array(name.utf8)) }

    /// A message on one line, its end left out after 400 characters.
    static func line(_ text: String) -> String { text.printable(longest: 400, mark: " ", end: "") }
}
