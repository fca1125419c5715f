import MooringPipeline
import Testing

@Suite("Being asked to stop")
struct InterruptionTests {
    @Test("a run goes on until it is asked, and then stops at the next border")
    func interrupting() throws {
        let interruption = Interruption()
        try interruption.check()
        interruption.interrupt()
        #expect(throws: Interrupted.self) { try interruption.check() }
    }
}
