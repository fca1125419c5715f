import MooringModel
import Synchronization
import Testing

@testable import MooringPipeline

@Suite("Looks for what a plan costs")
struct PlanLookTests {
    private final class Reader: StorageClassReader {
        let looks = Mutex(0)

        func storageClass(
            of key: ObjectKey, expecting version: ObjectVersion
        ) async -> StorageClassAnswer {
            looks.withLock { $0 += 1 }
            return key.text.hasPrefix("told")
                ? .told("STANDARD_IA") : .unknown("403 at \(key.text)")
        }
    }

    @Test("they end after three that were not answered, whatever is answered between")
    func patience() async {
        let (reader, patience) = (Reader(), Patience())
        let version = ObjectVersion(size: 1, etag: "e", lastModified: .distantPast)
        var answers: [StorageClassAnswer] = []
        for name in ["told-1", "a", "told-2", "b", "told-3", "c", "told-4", "d"] {
            answers.append(await patience.look(reader, ObjectKey(name), version))
        }
        #expect(reader.looks.withLock { $0 } == 6)
        #expect(answers[4] == .told("STANDARD_IA"))
        #expect(answers[6] == .unknown("403 at c") && answers[7] == answers[6])
    }
}
