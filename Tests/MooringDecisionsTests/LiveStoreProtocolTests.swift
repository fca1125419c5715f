import MooringDecisions
import MooringModel
import Testing

@Suite("Tags, delete markers and uploads, event by event")
struct LiveStoreProtocolTests {
    private static let tagging = ObjectTagging(
        expected: Sample.version(), run: ObjectTagging.run, proof: Sample.reversible)
    private static let tag = ObjectTagging.Move.act(.tag(Sample.reversible))

    @Test("what was listed without an id is tagged as what a look found of it")
    func tagsListed() {
        let listed = Sample.version().withoutID
        let found = ObjectVersion(
            size: listed.size, etag: listed.etag, lastModified: listed.lastModified,
            versionID: "v1")
        var machine = ObjectTagging(
            expected: listed, run: ObjectTagging.run, proof: Sample.reversible)
        _ = machine.handle(.owners(.unreferenced))
        #expect(machine.handle(.head(.present(found))) == .ask(.readTag))
    }

    @Test("an object is tagged once, behind its owners, its version and its tag")
    func tags() {
        var tagged = 0
        for walk in Self.tagging.walks() {
            #expect(walk.events.count <= 8, "\(walk)")
            guard let before = walk.before({ $0 == Self.tag }) else { continue }
            tagged += 1
            #expect(
                before == [
                    [.owners(.unreferenced)], [.head(.present(Sample.version()))], [.value(nil)],
                ])
            #expect(walk.actions.count { $0 == Self.tag } == 1)
        }
        #expect(tagged > 5)
    }

    @Test("a tag stays only where the owners were read again and none referenced the object")
    func ownersAgain() {
        let resumed = Self.tagging.resume().walks()
        for walk in Self.tagging.walks() + resumed
        where walk.end == .end(.finish(.done, reason: nil)) {
            #expect(walk.events.last == [.owners(.unreferenced)], "\(walk)")
            #expect(walk.lastAsked == .ask(.readOwners))
        }
        for walk in Self.tagging.walks() where walk.actions.contains(.act(.untag)) {
            #expect(walk.end != .end(.finish(.done, reason: nil)))
        }
    }

    @Test("one that has a tag already is left as it is")
    func hasTag() {
        var machine = Self.tagging
        _ = machine.handle(.owners(.unreferenced))
        _ = machine.handle(.head(.present(Sample.version())))
        #expect(
            machine.handle(.value("other"))
                == .end(.finish(.confirmed, reason: "it has the tag of run other already")))
    }

    @Test("the undo takes off the run's own tag and nothing else")
    func untags() {
        for walk in ObjectTagging.undo(expected: Sample.version(), run: ObjectTagging.run).walks() {
            #expect(walk.actions[0] == .act(.untag))
            #expect(!walk.actions.contains(Self.tag) && !walk.actions.contains(.ask(.readOwners)))
        }
    }

    @Test("an answer that stays out leaves the tagging open")
    func doubt() {
        var machine = Self.tagging.resume()
        #expect(machine.start == .ask(.readTag))
        #expect(machine.handle(.failed("why")) == .end(.leaveOpen(reason: "why")))
    }

    @Test("a deletion is taken back only behind the record, for the marker that was judged")
    func undeletes() {
        let machine = DeletionReversal(
            expected: Sample.version(), marker: "m", proof: Sample.reversible)
        let undelete = DeletionReversal.Move.act(.undelete(DeletionReversal.deletion))
        var found = 0
        for walk in machine.walks() {
            #expect(walk.events.count <= 4)
            #expect(!walk.actions.contains(.act(.deleteAgain)))
            #expect(!walk.actions.contains(.act(.undelete(DeletionReversal.other))))
            guard let before = walk.before({ $0 == undelete }) else { continue }
            found += 1
            #expect(
                before == [[.owners(.referenced)], [.deletion(DeletionReversal.deletion)]])
        }
        #expect(found > 3)
        for walk in machine.walks() where walk.end == .end(.finish(.done, reason: nil)) {
            let last = walk.events[walk.events.count - 1]
            #expect(last == [.moved(.done)] || last == [.head(.present(Sample.version()))])
        }
    }

    @Test("the undo hides the object again, and a crash finds out by a look")
    func hidesAgain() {
        let undo = DeletionReversal.undo(expected: Sample.version())
        #expect(undo.start == .act(.deleteAgain))
        for isUndo in [false, true] {
            let resumed = DeletionReversal.resume(expected: Sample.version(), isUndo: isUndo)
            for walk in resumed.walks() {
                #expect(walk.actions.count == 2 && walk.actions[0] == .ask(.head))
                let isDone = walk.end == .end(.finish(.done, reason: nil))
                let done: ObjectAnswer =
                    isUndo ? .head(.absent) : .head(.present(Sample.version()))
                #expect(isDone == walk.events[0].contains(done))
            }
        }
    }

    @Test("an upload is ended only where its parts were asked just before, and lie far enough back")
    func aborts() {
        let machine = UploadAbort(
            UploadAbort.uploads, partsBefore: now - .days(7), proof: Sample.irreversible)
        var aborted = 0
        for walk in machine.walks() {
            #expect(walk.events.count <= 6)
            for (index, action) in walk.actions.enumerated() {
                guard case .act(.abort(let upload, _)) = action else { continue }
                aborted += 1
                #expect(walk.actions[index - 1] == .ask(.readParts(upload)))
                #expect(
                    walk.events[index - 1] == [
                        .parts(UploadParts(count: 0, bytes: 0, newestAt: nil))
                    ])
            }
        }
        #expect(aborted > 5)
    }

    @Test("behind a crash nothing is ended; what is not open any more was")
    func resumedAbort() {
        let machine = UploadAbort(
            UploadAbort.uploads, partsBefore: now - .days(7), proof: Sample.irreversible
        ).resume()
        for walk in machine.walks() {
            #expect(!walk.actions.contains { if case .act(.abort) = $0 { true } else { false } })
            let isDone = walk.end == .end(.finish(.done, reason: nil))
            #expect(isDone == walk.events.allSatisfy { $0 == [.parts(nil)] }, "\(walk)")
        }
    }
}
