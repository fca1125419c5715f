import MooringAWS
package import MooringModel
import MooringText

extension S3Listing {
    /// What has arrived of an open upload, by ListParts; nil when it is not open any more. Throws
    /// `StoreError` when the store does not tell.
    package func parts(of upload: OpenUpload) async throws -> UploadParts? {
        var (count, bytes, newest) = (0, Int64(0), Instant?.none)
        var marker = 0
        while true {
            guard let page = try await partPage(upload, behind: marker) else { return nil }
            for part in page.parts {
                guard part.number > marker else {
                    throw partError(upload, "the answer does not list parts in their order")
                }
                marker = part.number
                count += 1
                bytes += part.size
                newest = max(newest ?? part.writtenAt, part.writtenAt)
            }
            guard page.isTruncated else {
                return UploadParts(count: count, bytes: bytes, newestAt: newest)
            }
            if page.parts.isEmpty {
                throw partError(upload, "the answer says that there is more, and brings nothing")
            }
        }
    }

    private struct Part {
        let number: Int
        let size: Int64
        let writtenAt: Instant
    }

    private func partPage(
        _ upload: OpenUpload, behind marker: Int
    ) async throws -> (parts: [Part], isTruncated: Bool)? {
        var query = [AWSRequest.Parameter("uploadId", upload.id), .init("max-parts", "1000")]
        if marker > 0 { query.append(.init("part-number-marker", "\(marker)")) }
        let response: AWSResponse
        do {
            response = try await client.send(S3Call("ListParts", key: upload.key, query: query))
        } catch let failure as AWSFailure {
            throw partError(upload, failure.reason, hint: failure.hint)
        }
        guard response.status == 200 else {
            let error = S3Error(call: "ListParts", response)
            // Ceph says NoSuchKey where there is no such upload.
            if error.status == 404, ["NoSuchUpload", "NoSuchKey"].contains(error.code) {
                return nil
            }
            throw partError(
                upload, "answered \(error.status) \(error.code)",
                hint: error.status == 403
                    ? "it needs the permission s3:ListMultipartUploadParts" : nil)
        }
        let document: XMLDocument
        do {
            document = try XMLDocument(response.body)
        } catch {
            throw partError(upload, "the answer is no valid XML: it \(error.reason)")
        }
        guard document.name == "ListPartsResult",
            document["UploadId"]?.text ?? upload.id == upload.id
        else { throw partError(upload, "the answer is no list of its parts") }
        let parts = try document.all("Part").map { part in
            guard let number = part["PartNumber"].flatMap({ Int($0.text) }),
                let size = part["Size"].flatMap({ Int64($0.text) }), size >= 0,
                let time = part["LastModified"].flatMap({ Instant(iso8601: $0.text) })
            else { throw partError(upload, "the answer lists a part without number, size or time") }
            return Part(number: number, size: size, writtenAt: time.wholeSecond)
        }
        return (parts, document["IsTruncated"]?.text == "true")
    }

    private func partError(
        _ upload: OpenUpload, _ reason: String, hint: String? = nil
    ) -> StoreError {
        StoreError(
            place: "s3://\(client.place.bucket)/" + upload.key.text,
            reason: "ListParts: " + reason, hint: hint)
    }
}

extension Instant {
    /// The moment cut to its second, as HEAD tells it: so do listings everywhere in this target.
    package var wholeSecond: Instant {
        Instant(seconds: nanoseconds.floored(by: 1_000_000_000).quotient)
    }
}
