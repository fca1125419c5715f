import MooringAWS
import MooringModel

/// Asks a store for pages of one listing.
struct PageSource<Item: ListingItem>: Sendable {
    /// The bucket.
    let client: S3Client
    /// The most keys that a page is asked for.
    let pageSize: Int

    /// An answer: the page, and how many requests it took.
    struct Answer: Sendable {
        /// The question that it answers.
        let question: PageQuestion
        /// The page, or why there is none.
        let result: Result<ListingPage<Item>, PageFailure>
        /// What was found out of how the store writes keys.
        let encoding: KeyEncoding
        /// The requests that were sent.
        let requests: Int
        /// How long it took.
        let seconds: Double
    }

    /// The answer to a question.
    func answer(_ question: PageQuestion) async -> Answer {
        var encoding = question.encoding
        var requests = 0
        let begin = ContinuousClock.now
        do throws(PageFailure) {
            let body = try await body(of: question, limit: pageSize, &requests)
            while true {
                switch try read(body, question, encoding) {
                case .page(let page):
                    encoding.merge(page.encoding)
                    return Answer(
                        question: question, result: .success(page), encoding: encoding,
                        requests: requests, seconds: Self.seconds(since: begin))
                case .ambiguous(let text, let isSaid, let keys):
                    let reading = try await probe(text, keys, question, &requests)
                    encoding.note(reading, of: text, isSaid: isSaid)
                }
            }
        } catch {
            return Answer(
                question: question, result: .failure(error), encoding: encoding,
                requests: requests, seconds: Self.seconds(since: begin))
        }
    }

    private static func seconds(since begin: ContinuousClock.Instant) -> Double {
        (ContinuousClock.now - begin) / .seconds(1)
    }

    private func read(
        _ body: [UInt8], _ question: PageQuestion, _ encoding: KeyEncoding
    ) throws(PageFailure) -> PageReading<Item> {
        let reader = PageReader<Item>(
            bucket: client.place.isAccessPoint ? nil : client.place.bucket)
        do {
            return try reader.read(body, prefix: question.prefix, known: encoding)
        } catch .otherRoot("Error") {
            let error = S3Error(
                call: Item.layout.call, AWSResponse(status: 200, headers: [], body: body))
            throw PageFailure(
                reason: "answered 200 with the error \(error.code)", isTransient: true)
        } catch {
            throw PageFailure(reason: "the answer \(error.text)", isTransient: false)
        }
    }

    // A text that several keys can be written as means the one that the store lists, in this very
    // text, as the first below that key as a prefix.
    private func probe(
        _ text: [UInt8], _ keys: [(reading: KeyEncoding.Reading, key: [UInt8])],
        _ question: PageQuestion, _ requests: inout Int
    ) async throws(PageFailure) -> KeyEncoding.Reading {
        if client.place.isZonal { return try await look(keys, &requests) }
        for (reading, key) in keys {
            let probe = PageQuestion(
                stretch: question.stretch, prefix: key, startAfter: nil, id: nil, token: nil,
                isGrouped: question.isGrouped, encoding: question.encoding)
            let body = try await body(of: probe, limit: 1, &requests)
            let isIt = body.withUnsafeBufferPointer { bytes in
                do {
                    let raw = try RawPage(bytes, Item.layout)
                    let first = try KeyText(raw.elements.first?.key ?? raw.prefixes.first)
                    return first.withBytes { $0.elementsEqual(text) }
                } catch {
                    return false
                }
            }
            if isIt { return reading }
        }
        throw PageFailure(
            reason: "the answer writes a key in a way that has several meanings, and the store "
                + "lists none of them",
            isTransient: true)
    }

    // A directory bucket lists below no such prefix; a look at each key tells which one is there.
    private func look(
        _ keys: [(reading: KeyEncoding.Reading, key: [UInt8])], _ requests: inout Int
    ) async throws(PageFailure) -> KeyEncoding.Reading {
        var there: [KeyEncoding.Reading] = []
        for (reading, key) in keys {
            requests += 1
            let call = S3Call("HeadObject", method: "HEAD", key: ObjectKey(key))
            let response: AWSResponse
            do {
                response = try await client.send(call)
            } catch {
                throw PageFailure(reason: "no answer: \(error)", isTransient: true)
            }
            switch response.status {
            case 200: there.append(reading)
            case 404: break
            default:
                throw PageFailure(
                    reason: text(S3Error(call: call.name, response)), isTransient: true)
            }
        }
        guard there.count == 1 else {
            throw PageFailure(
                reason: "the answer writes a key in a way that has several meanings, and "
                    + (there.isEmpty ? "none" : "more than one") + " of these keys is there",
                isTransient: true)
        }
        return there[0]
    }

    private func body(
        of question: PageQuestion, limit: Int, _ requests: inout Int
    ) async throws(PageFailure) -> [UInt8] {
        requests += 1
        let response: AWSResponse
        do {
            response = try await client.send(question.call(Item.layout, limit: limit))
        } catch let failure as AWSFailure {
            throw PageFailure(reason: Self.text(failure), isTransient: true)
        } catch {
            throw PageFailure(reason: "no answer: \(error)", isTransient: false)
        }
        guard response.status != 200 else { return response.body }
        let error = S3Error(call: Item.layout.call, response)
        if response.status == 404, let none = Item.layout.noneCode, error.code == none {
            return Array("<\(Item.layout.root.text)></\(Item.layout.root.text)>".utf8)
        }
        throw PageFailure(
            reason: text(error),
            isTransient: response.status >= 500 && response.status != 501
                || response.status == 429 || response.status == 408)
    }

    private static func text(_ failure: AWSFailure) -> String {
        failure.reason + (failure.hint.map { "; \($0)" } ?? "")
    }

    private var permission: String {
        client.place.isZonal ? "s3express:CreateSession" : Item.layout.permission
    }

    private func text(_ error: S3Error) -> String {
        let answer = "answered \(error.status) \(error.code)"
        switch error.status {
        case 403: return answer + "; it needs the permission \(permission)"
        case 404 where error.code != "NoSuchBucket":
            return answer
        case 404: return answer + "; name the bucket that is meant"
        case 501: return answer + "; the store does not know this call"
        default: return answer
        }
    }
}
