import MooringAWS
import MooringModel

/// Copies one object, with its metadata, content type, tags, encryption and storage class, by the
/// way that the store was seen to keep its promises on.
struct ObjectCopier: Sendable {
    /// How a copy ended.
    enum Outcome {
        case made
        /// Something lies at the target, and stays there.
        case taken
        /// The source is another version by now, or gone; nothing was copied.
        case changed
    }

    /// Where the object lies.
    let source: BucketCalls
    /// Where the copy goes.
    let target: BucketCalls
    /// What the store can do.
    let findings: TrialFindings
    /// The sizes that bound how an object is copied.
    let limits: CopyLimits

    /// Copies the object with these facts; `replacesNothing` where somebody else may write to the
    /// target at the same time.
    func copy(
        _ key: ObjectKey, _ facts: ObjectFacts, to place: ObjectKey, replacesNothing: Bool
    ) async throws -> Outcome {
        let job = Job(key: key, facts: facts, place: place)
        let size = facts.version.size
        let capabilities = findings.capabilities
        if size > limits.wholeCopy {
            guard capabilities.multipartCopy.isHonoured else {
                throw StoreError(
                    place: key.text,
                    reason: "\(size) bytes have to be copied in parts, and the store does not",
                    hint: "move it by hand, or keep it", isRefusal: true)
            }
            return try await copyInParts(job, replacesNothing: replacesNothing)
        }
        guard replacesNothing, !capabilities.exclusiveCopy.isHonoured else {
            return try await copyWhole(job)
        }
        if size <= limits.throughMemory, capabilities.conditionalWrite.isHonoured,
            facts.describingHeaders != nil
        {
            return try await readAndWrite(job)
        }
        if capabilities.multipartCopy.isHonoured, findings.completesExclusively, size > 0,
            facts.describingHeaders != nil
        {
            return try await copyInParts(job, replacesNothing: true)
        }
        guard try await target.facts(place) == nil else { return .taken }
        return try await copyWhole(job)
    }

    private struct Job: Sendable {
        let key: ObjectKey
        let facts: ObjectFacts
        let place: ObjectKey
    }

    private func sourceHeaders(_ job: Job) -> [(name: String, value: String)] {
        var headers = [
            ("x-amz-copy-source", source.client.place.copySource(job.key)),
            ("x-amz-copy-source-if-match", ETag.quoted(job.facts.version.etag)),
        ]
        if let owner = source.client.place.expectedOwner {
            headers.append(("x-amz-source-expected-bucket-owner", owner))
        }
        return headers
    }

    // MARK: In one call

    private func copyWhole(_ job: Job) async throws -> Outcome {
        var headers = sourceHeaders(job) + job.facts.carriedHeaders
        if findings.capabilities.exclusiveCopy.isHonoured {
            headers.append(("if-none-match", "*"))
        }
        let call = S3Call("CopyObject", method: "PUT", key: job.place, headers: headers)
        guard try await target.perform(call, unless: [404, 409, 412]) != nil else {
            return try await conflict(job)
        }
        return .made
    }

    // Either the source changed or the target is taken: a look tells.
    private func conflict(_ job: Job) async throws -> Outcome {
        guard let now = try await source.facts(job.key), now.version == job.facts.version else {
            return .changed
        }
        return .taken
    }

    // MARK: Through this machine

    private func readAndWrite(_ job: Job) async throws -> Outcome {
        guard
            let (facts, bytes) = try await source.content(
                job.key, ifMatch: job.facts.version.etag),
            facts.version == job.facts.version
        else { return .changed }
        let headers = (try describing(job)) + (try await tagHeader(job))
        switch try await target.put(
            job.place, bytes, headers: headers + [("if-none-match", "*")])
        {
        case .done: return .made
        case .conflict: return .taken
        }
    }

    private func describing(_ job: Job) throws -> [(name: String, value: String)] {
        guard let headers = job.facts.describingHeaders else {
            throw StoreError(
                place: job.key.text, reason: "its metadata holds what no header can say again",
                hint: "move it by hand, or keep it", isRefusal: true)
        }
        return headers
    }

    private func tagHeader(_ job: Job) async throws -> [(name: String, value: String)] {
        let tags = try await tags(job)
        guard !tags.isEmpty else { return [] }
        let pairs = tags.map {
            AWSRequest.Parameter($0.name, Array($0.value.utf8))
        }
        return [("x-amz-tagging", PercentEncoding.query(pairs))]
    }

    // None of a store that knows no tags. Where they may not be read there may be some, which
    // would be lost: only a copy in one call carries them over unseen.
    private func tags(_ job: Job) async throws -> [ObjectTag] {
        if findings.capabilities.tagging == .ignored { return [] }
        if findings.capabilities.tagging.isHonoured { return try await source.tags(of: job.key) }
        do {
            return try await source.knownTags(of: job.key)
        } catch let error as StoreError where error.isRefusal {
            throw StoreError(
                place: job.key.text,
                reason: "its tags cannot be read, so that its copy would lose them: "
                    + error.reason,
                hint: "allow s3:GetObjectTagging (mooring iam-policy --for repair), or keep it",
                isRefusal: true)
        }
    }

    // MARK: In parts

    private func copyInParts(_ job: Job, replacesNothing: Bool) async throws -> Outcome {
        let create = S3Call(
            "CreateMultipartUpload", method: "POST", key: job.place,
            query: [AWSRequest.Parameter("uploads")],
            headers: (try describing(job)) + (try await tagHeader(job))
                // So that a copy in quarantine is known again; what is put back does not say it.
                + (replacesNothing ? [] : [(ObjectFacts.markHeader, job.facts.mark)]))
        let answer = try await target.perform(create)
        guard let id = XMLDocument.texts(of: ["UploadId"], in: answer.body)["UploadId"],
            !id.isEmpty
        else { throw StoreError(place: job.key.text, reason: "CreateMultipartUpload told no id") }
        do {
            let outcome = try await upload(job, id, replacesNothing: replacesNothing)
            if case .made = outcome {
                try await keepTags(job)
            } else {
                await abort(job.place, id)
            }
            return outcome
        } catch {
            await abort(job.place, id)
            throw error
        }
    }

    private func upload(
        _ job: Job, _ id: String, replacesNothing: Bool
    ) async throws -> Outcome {
        let size = job.facts.version.size
        // 10,000 parts at most, in whole MiB.
        let mebibyte: Int64 = 1 << 20
        let least = ((size / 10_000) / mebibyte + 1) * mebibyte
        let step = size <= limits.part * 10_000 ? limits.part : least
        let ranges = stride(from: 0, to: size, by: Int64.Stride(step)).map {
            $0...(min($0 + step, size) - 1)
        }
        guard let etags = try await copyParts(job, id, ranges) else { return .changed }
        let parts = etags.enumerated().map { number, etag in
            "<Part><PartNumber>\(number + 1)</PartNumber><ETag>&quot;\(etag)&quot;</ETag></Part>"
        }.joined()
        let isExclusive = replacesNothing || findings.completesExclusively
        if replacesNothing, !findings.completesExclusively {
            guard try await target.facts(job.place) == nil else { return .taken }
        }
        let complete = S3Call(
            "CompleteMultipartUpload", method: "POST", key: job.place,
            query: [AWSRequest.Parameter("uploadId", id)],
            headers: [("content-type", "application/xml")]
                + (isExclusive ? [("if-none-match", "*")] : []),
            body: Array(
                "<CompleteMultipartUpload xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                    .utf8) + Array("\(parts)</CompleteMultipartUpload>".utf8))
        return try await target.perform(complete, unless: [409, 412]) == nil ? .taken : .made
    }

    // The ETags in the order of the ranges, some parts at a time; nil when the source is another
    // version by now. Where one fails no other begins, and those under way end first: a part that
    // came behind the abort would stay.
    private func copyParts(
        _ job: Job, _ id: String, _ ranges: [ClosedRange<Int64>]
    ) async throws -> [String]? {
        var etags = [String](repeating: "", count: ranges.count)
        var end: Result<String?, any Error>?
        await withTaskGroup(of: (Int, Result<String?, any Error>).self) { group in
            var next = 0
            func begin() {
                guard end == nil, next < ranges.count else { return }
                let number = next
                next += 1
                group.addTask {
                    do {
                        return (
                            number,
                            .success(try await copyPart(job, id, number + 1, ranges[number]))
                        )
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            for _ in 0..<max(1, limits.partsAtOnce) { begin() }
            for await (number, result) in group {
                if case .success(let etag?) = result {
                    etags[number] = etag
                } else if end == nil {
                    end = result
                }
                begin()
            }
        }
        _ = try end?.get()
        return end == nil ? etags : nil
    }

    // Nil when the source is another version by now.
    private func copyPart(
        _ job: Job, _ id: String, _ number: Int, _ range: ClosedRange<Int64>
    ) async throws -> String? {
        let call = S3Call(
            "UploadPartCopy", method: "PUT", key: job.place,
            query: [
                AWSRequest.Parameter("partNumber", String(number)),
                AWSRequest.Parameter("uploadId", id),
            ],
            headers: sourceHeaders(job) + [
                ("x-amz-copy-source-range", "bytes=\(range.lowerBound)-\(range.upperBound)")
            ],
            // The same part again takes the place of the first.
            isRepeatable: true)
        guard let answer = try await target.perform(call, unless: [412]) else { return nil }
        guard
            let etag = XMLDocument.texts(of: ["ETag"], in: answer.body)["ETag"].map(ETag.bare),
            !etag.isEmpty
        else { throw StoreError(place: job.key.text, reason: "UploadPartCopy told no ETag") }
        return etag
    }

    // Some stores do not take tags with the first call.
    private func keepTags(_ job: Job) async throws {
        guard findings.capabilities.tagging.isHonoured else { return }
        let tags = try await source.tags(of: job.key)
        guard !tags.isEmpty, try await target.tags(of: job.place) != tags else { return }
        try await target.setTags(of: job.place, tags)
    }

    private func abort(_ place: ObjectKey, _ id: String) async {
        let call = S3Call(
            "AbortMultipartUpload", method: "DELETE", key: place,
            query: [AWSRequest.Parameter("uploadId", id)], isRepeatable: true)
        // Parts that stay are no object; a report names the upload.
        _ = try? await target.send(call)
    }
}
