import Dispatch
import Glibc

/// Work that is split over all cores.
@usableFromInline package enum Cores {
    // More parts than cores, since another thread reads the next rows meanwhile, and a core that
    // does that takes fewer of them.
    private static let partsEach = 2

    /// The answers about the parts of so many things, in the order of the parts. They run beside
    /// one another and must not change anything that another one uses; none has fewer things than
    /// `least`, and where that leaves one part alone it runs right here.
    @usableFromInline
    package static func map<Answer>(
        _ count: Int, least: Int, _ answer: (Range<Int>) -> Answer
    ) -> [Answer] {
        let cores = sysconf(Int32(_SC_NPROCESSORS_ONLN))
        let parts = min(cores * partsEach, count / least)
        guard cores > 1, parts > 1 else { return [answer(0..<count)] }
        var answers: [Answer?] = Array(repeating: nil, count: parts)
        answers.withUnsafeMutableBufferPointer { answers in
            // Each part has a place of its own, which nobody else touches before all have ended.
            nonisolated(unsafe) let (places, answer) = (answers, answer)
            DispatchQueue.concurrentPerform(iterations: parts) { part in
                places[part] = answer(count * part / parts..<count * (part + 1) / parts)
            }
        }
        return answers.compactMap(\.self)
    }

    /// What is made of each of so many things, in their order; otherwise as `map` has it.
    @inlinable
    package static func each<Made>(
        _ count: Int, least: Int = leastEach, _ make: (Int) -> Made
    ) -> [Made] {
        let parts = map(count, least: least) { part in part.map(make) }
        return parts.count == 1 ? parts[0] : Array(parts.joined())
    }

    /// The same, each handed over in its turn, so that few of what is made are held at once.
    @inlinable
    package static func each<Made>(
        _ count: Int, _ make: (Int) -> Made, take: (_ number: Int, _ made: Made) -> Void
    ) {
        for start in stride(from: 0, to: count, by: heldAtOnce) {
            let made = each(min(heldAtOnce, count - start)) { make(start + $0) }
            for (number, made) in made.enumerated() { take(start + number, made) }
        }
    }

    /// Enough to keep all cores at work.
    @usableFromInline static let heldAtOnce = 8_192

    /// Two answers that are found beside one another; neither changes what the other one uses.
    package static func both<One, Other>(
        _ one: () -> One, and other: () -> Other
    ) -> (One, Other) {
        var (first, second): (One?, Other?) = (nil, nil)
        withUnsafeMutablePointer(to: &first) { first in
            withUnsafeMutablePointer(to: &second) { second in
                // Each has a place of its own, and both have ended behind this call.
                nonisolated(unsafe) let (first, second, one, other) = (first, second, one, other)
                DispatchQueue.concurrentPerform(iterations: 2) { number in
                    if number == 0 { first.pointee = one() } else { second.pointee = other() }
                }
            }
        }
        guard let first, let second else { preconditionFailure("both were asked") }
        return (first, second)
    }

    /// So many things that take some microseconds each cost less than to have another core make
    /// them.
    @usableFromInline package static let leastEach = 64
}
