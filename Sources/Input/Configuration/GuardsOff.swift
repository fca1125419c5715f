import MooringModel
import MooringText

extension Configuration {
    /// One sentence for each key whose value makes a guard compare with nothing.
    var keysThatTurnGuardsOff: [String] {
        var sentences: [String] = []
        let words = [
            ("orphanShare", limits.orphanShare, "removing too many objects"),
            ("recordShare", limits.recordShare, "changing too many records"),
            ("referenceDrop", limits.referenceDrop, "a loss of references"),
            ("objectDrop", limits.objectDrop, "a loss of objects"),
        ]
        for (name, limit, what) in words where limit >= 1 {
            sentences.append("limits.\(name): 100% turns off the guard against \(what).")
        }
        for (place, own) in limits.places.sorted(by: { $0.key < $1.key }) {
            let limits = [
                own.orphanShare, own.recordShare, own.referenceDrop, own.objectDrop,
            ]
            for (word, limit) in zip(words, limits) where limit ?? 0 >= 1 {
                sentences.append(
                    "\(place.text.printable): limits.\(word.0): 100% turns off the guard there "
                        + "against \(word.2).")
            }
        }
        if confirm == .never {
            sentences.append(
                "confirm: never turns off the confirm scan, so nothing is repaired.")
        }
        for source in records where !source.unread.isEmpty {
            let tables = source.unread.map { $0.pattern.printable }.joined(separator: ", ")
            sentences.append(
                "records \(source.name.printable): unread leaves \(tables) out of the confirm "
                    + "scan, so nothing is swept or deleted in its buckets.")
        }
        for (place, bounds) in raceBounds where bounds.uploadWindow == .zero {
            sentences.append(
                "\(place).uploadWindow: 0s turns off the wait for uploads on their way.")
        }
        return sentences
    }

    private var raceBounds: [(place: String, bounds: RaceBounds)] {
        // A source that has the general bounds would only say the same again.
        [("race", race)]
            + records.filter { $0.race != race }
            .map { ("records \($0.name.printable): race", $0.race) }
    }
}
