import Testing

@testable import MooringFiles

@Suite("What tells a folder from a copy of it")
struct MarkerTraceTests {
    private let known = MarkerTrace(folder: 2, marker: 11, birth: 5)

    @Test("A trace reads back as it was written, also one of an earlier ledger")
    func text() {
        for (text, trace) in [
            ("2/11/5", known), ("2/11", MarkerTrace(folder: 2, marker: 11, birth: nil)),
        ] {
            #expect(trace.text == text && MarkerTrace(text) == trace)
        }
        for text in ["", "2", "2/", "2/11/", "2/11/x", "1/2/11/5", "/dev/sda1"] {
            #expect(MarkerTrace(text) == nil, "\(text)")
        }
    }

    @Test("At the same place a copy is told by its marker's birth, a disk mounted anew keeps it")
    func replaced() {
        // A file system that numbers its files anew whenever it is mounted.
        let renumbered = MarkerTrace(folder: 1, marker: 3, birth: 5)
        let copy = MarkerTrace(folder: 2, marker: 11, birth: 6)
        for keepsInodes in [false, true] {
            #expect(!known.replaces(known, keepsInodes: keepsInodes))
            #expect(!renumbered.replaces(known, keepsInodes: keepsInodes))
            #expect(copy.replaces(known, keepsInodes: keepsInodes))
        }
    }

    @Test("Without births the marker's inode tells, where the file system keeps it")
    func withoutBirth() {
        let earlier = MarkerTrace(folder: 7, marker: 11, birth: nil)
        let other = MarkerTrace(folder: 7, marker: 12, birth: nil)
        #expect(!known.replaces(earlier, keepsInodes: true))
        #expect(known.replaces(other, keepsInodes: true))
        #expect(!known.replaces(other, keepsInodes: false))
        #expect(other.replaces(earlier, keepsInodes: true))
    }

    @Test("At another place a folder is the same with its inodes and its birth alone")
    func moved() {
        #expect(known.isMoved(from: known))
        #expect(known.isMoved(from: MarkerTrace(folder: 2, marker: 11, birth: nil)))
        for other in [
            MarkerTrace(folder: 3, marker: 11, birth: 5),
            MarkerTrace(folder: 2, marker: 12, birth: 5),
            MarkerTrace(folder: 2, marker: 11, birth: 6),
        ] {
            #expect(!known.isMoved(from: other))
        }
    }
}
