import MooringDecisions
import MooringModel
import Testing

@Suite("Evidence in words")
struct EvidenceTests {
    private let at = Instant(seconds: 1_900_000_000)

    @Test("what the judge saw becomes a sentence")
    func sentences() {
        let time = at.iso8601
        let wanted: [(Evidence, String)] = [
            (.lastModified(at), "last modified \(time)"),
            (.multipartFirstSeen(at), "a multipart object first seen \(time)"),
            (.firstSeen(at), "that time cannot be believed; first seen \(time)"),
            (.notListed, "no such object was listed"),
            (.lookFoundNothing, "a look after the listing found no such object"),
            (.lookFoundObject, "a look after the listing found the object"),
            (.recordTellsNoChange, "its record does not tell when it changed"),
            (.bucketUnknown("far"), "no bucket named 'far' is configured"),
            (.identityUnknown, "the identity under which it lies is not known"),
            (.noTemplateFits, "no key template fits this key"),
            (.ownerIsAbsent, "its owner does not exist"),
            (.ownerIsTombstone, "its owner is marked as deleted"),
            (.ownerHoldsAnother, "its owner holds another key"),
            (.ownerListsOthers(2), "its owner's list lacks it and holds 2 others"),
            (
                .ownerHoldsNothing(since: nil),
                "its owner holds no key, and no change time tells since when"
            ),
            (
                .ownerHoldsNothing(since: at),
                "its owner holds no key, unchanged since \(time)"
            ),
            (.ownerCleared(at: at), "its owner holds no key since a change at \(time)"),
            (.recordChanged(at: at), "its record changed at \(time)"),
            (.recordUnchanged(since: at), "its record is unchanged since \(time)"),
            (.doubt("a link points to it"), "a link points to it"),
            (.severalKeys(3), "its level is not known, so it may mean 3 keys"),
            (.lookUnanswered("403"), "a look at the object gave no answer: 403"),
            (
                .mayStillCome(Explanation(workflow: "create", step: "associate", until: at)),
                "create: associate may still come until \(time)"
            ),
        ]
        for (evidence, text) in wanted { #expect(evidence.text == text) }
    }

    @Test("what may still be in flight is told with what is known of it")
    func inFlight() {
        func upload(_ parts: UploadParts?, doubt: String? = nil) -> String {
            Evidence.uploadOpen(
                UploadFacts(
                    upload: OpenUpload(key: ObjectKey("k"), id: "u", begunAt: at), parts: parts,
                    doubt: doubt)
            ).text
        }
        let begun = "an upload of this key is open since \(at.iso8601)"
        #expect(upload(nil) == begun + ", without a part")
        #expect(upload(nil, doubt: "403") == begun + "; its parts are not known: 403")
        #expect(
            upload(UploadParts(count: 2, bytes: 5, newestAt: at))
                == begun + ", with 2 parts of 5 B, the newest of \(at.iso8601)")
        let write = PendingWrite(
            device: "phone", model: "Song", record: [], act: "update", madeAt: at)
        #expect(
            Evidence.inOutbox(write).text
                == "the outbox of 'phone' holds a write of 'Song' made \(at.iso8601) that was "
                + "not sent yet")
    }

    @Test("what a workflow leaves is told by its steps, at most three of them")
    func left() {
        #expect(
            Evidence.left(.ownerHoldsNothing, .cleared, shape: .scalar).text
                == "left by 'clear the association' after its step 'clear', "
                + "or by 'detach and delete' that ends with its step 'clear'")
        #expect(
            Evidence.left(.objectIsAbsent, .missing, shape: .scalar).text
                == "left by 'write back' after its step 'write back', "
                + "or by 'delete both, file first' that ends with its step 'remove'")
        #expect(
            Evidence.left(.ownerListsOthers, .lostUpdate, shape: .list).text
                == "left by another device's write during 'append to list'")
        for state in DifferenceState.allCases {
            for shape in FieldShape.allCases where state.isPossible(for: shape) {
                let cause = CauseRule.cause(of: state)
                let text = Evidence.left(state, cause, shape: shape).text
                #expect(text.contains("left by '"), "\(state), \(shape): \(text)")
                #expect(text.components(of: "left by") + text.components(of: ", or by") <= 3)
            }
        }
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
