package import MooringDecisions
import MooringModel

/// Looks for the one rewrite of keys that makes most candidate orphans and candidate dangling
/// references one: then the mapping is wrong, and not the data.
///
/// It holds the candidates of both sides and one form of each object's key, and its time grows with
/// their bytes, whatever the keys are.
package struct MappingErrorSearch: Sendable {
    /// The fewest candidates on either side that can be a mapping error.
    package static let candidateLimit = 10
    private static let sampleCount = 3

    private let open: OpenKeys
    private let pause: SearchPause
    private let models: [SourceModel]

    /// References of one model that are looked up under one level, in one bucket.
    private struct Group: Hashable, Comparable {
        let model: Int
        let level: String
        let bucket: Int

        static func < (left: Group, right: Group) -> Bool {
            (left.model, left.level, left.bucket) < (right.model, right.level, right.bucket)
        }
    }

    /// A search under these levels. It asks now and then whether it shall stop, and what it gives
    /// then is worth nothing.
    package init(
        resolver: KeyResolver, models: [SourceModel] = [],
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        self.models = models
        open = OpenKeys(resolver: resolver)
        pause = SearchPause(isStopped: isStopped)
    }

    /// The rewrite that explains most, whether or not that is enough; nil where a side has too few
    /// candidates or nothing explains any. Each bucket is asked alone, then all together; where
    /// none of these has a mapping error, each model, level by level, so that one of few records
    /// is not lost beside a large one. Foreign references do not count.
    package func best(
        _ references: [DanglingCandidate], _ objects: [OrphanCandidate]
    ) -> MappingRewrite? {
        // Both sides are large, and mostly as they are wanted.
        let own =
            references.allSatisfy { $0.bucket != nil }
            ? references : references.filter { $0.bucket != nil }
        guard min(own.count, objects.count) >= Self.candidateLimit else { return nil }
        let buckets = Set(objects.map(\.bucket)).sorted()
        var found: MappingRewrite?
        func keep(_ rewrite: MappingRewrite?) {
            if let rewrite, rewrite.isMappingError, rewrite.pairs > found?.pairs ?? 0 {
                found = rewrite
            }
        }
        for bucket in buckets where buckets.count > 1 {
            keep(
                search(own.filter { $0.bucket == bucket }, objects.filter { $0.bucket == bucket }))
        }
        if let found { return found }
        let whole = search(own, objects)
        if whole?.isMappingError == true { return whole }
        let groups = Dictionary(grouping: own, by: group)
        for (group, references) in groups.sorted(by: { $0.key < $1.key })
        where references.count >= Self.candidateLimit && references.count < own.count {
            keep(search(references, objects.filter { $0.bucket == group.bucket }))
        }
        return found ?? whole
    }

    private func group(_ reference: DanglingCandidate) -> Group {
        let files =
            models.indices.contains(reference.model)
            ? models[reference.model].mapping.files : []
        let level =
            files.indices.contains(reference.field) ? files[reference.field].level.text : ""
        return Group(model: reference.model, level: level, bucket: reference.bucket ?? 0)
    }

    // The first of those that explain most: a rewrite with nothing to choose says more than a
    // prefix that was fitted to the keys.
    private func search(
        _ references: [DanglingCandidate], _ objects: [OrphanCandidate]
    ) -> MappingRewrite? {
        guard min(references.count, objects.count) >= Self.candidateLimit else { return nil }
        let sides = Sides(references: references, objects: objects)
        let forms = [sides] + open.resolver.layouts.map { sides.unlaid($0, open.resolver) }
        var best: MappingRewrite?
        func keep(_ rewrite: MappingRewrite?) {
            if let rewrite, rewrite.pairs > best?.pairs ?? 0 { best = rewrite }
        }
        for sides in forms {
            keep(encoding(sides))
            keep(unicode(sides))
            keep(join(sides, .case) { KeyForms.lowercased($0) })
            keep(slash(sides))
        }
        keep(url(sides))
        for open in [nil, open] {
            // No prefix comes before what explains everything.
            if best?.pairs == min(references.count, objects.count) { break }
            let search = PrefixSearch(
                references: references, objects: objects, open: open, pause: pause)
            guard let result = search.best() else { continue }
            keep(
                rewrite(
                    sides, result.prefix.differsBySlashes ? .slash : .prefix, result.join,
                    prefix: result.prefix))
        }
        return best
    }

    private struct Sides {
        let references: [DanglingCandidate]
        let objects: [OrphanCandidate]
        // What the references mean and how the objects are called, as they are joined.
        var patterns: [[KeyPattern]]
        var keys: [ObjectKey]

        init(references: [DanglingCandidate], objects: [OrphanCandidate]) {
            self.references = references
            self.objects = objects
            patterns = references.map(\.patterns)
            keys = objects.map(\.object.key)
        }

        func hasKey(_ fits: ([UInt8]) -> Bool) -> Bool {
            references.contains { fits($0.value) } || keys.contains { fits($0.bytes) }
        }

        // With the values themselves in place of what a layout made of them: of two spellings of
        // one value the slices need not be two spellings of one text.
        func unlaid(_ layout: StoredLayout, _ resolver: KeyResolver) -> Sides {
            var sides = self
            for (number, reference) in references.enumerated() where reference.stored == layout {
                sides.patterns[number] = reference.patterns.flatMap {
                    resolver.unlaid($0, by: layout)
                }
            }
            for (number, key) in keys.enumerated() {
                if case .exact(let plain) = resolver.unlaid(.exact(key), by: layout).first {
                    sides.keys[number] = plain
                }
            }
            return sides
        }
    }
}

extension LevelChoice {
    /// One text for each choice.
    fileprivate var text: String {
        switch self {
        case .root: ""
        case .any: "*"
        case .named(let name): "=" + name
        }
    }
}

// MARK: - The rewrites

extension MappingErrorSearch {
    private func encoding(_ sides: Sides) -> MappingRewrite? {
        guard
            sides.hasKey({ $0.contains(UInt8(ascii: "%")) || $0.contains(UInt8(ascii: "+")) })
        else { return nil }
        return join(sides, .encoding) { KeyForms.decoded($0) }
    }

    private func unicode(_ sides: Sides) -> MappingRewrite? {
        var forms = UnicodeForms()
        return join(sides, .unicode) { forms.form($0) }
    }

    // The level's own prefix may have the slash that the value has too.
    private func slash(_ sides: Sides) -> MappingRewrite? {
        guard
            sides.patterns.contains(where: { patterns in
                patterns.contains { KeyForms.hasOddSlash($0.shown.bytes) }
            }) || sides.keys.contains(where: { KeyForms.hasOddSlash($0.bytes) })
        else { return nil }
        return join(sides, .slash) { KeyForms.slashed($0) }
    }

    private func url(_ sides: Sides) -> MappingRewrite? {
        guard sides.references.contains(where: { StoredURL($0.value) != nil }) else { return nil }
        var join = objects(sides) { $0 }
        for (number, reference) in sides.references.enumerated() {
            if pause.stops(at: number) { break }
            guard let bucket = reference.bucket, let url = StoredURL(reference.value) else {
                continue
            }
            let stored = reference.stored
            let length = stored.key(of: reference.value).count
            let prefixes = reference.patterns.map {
                (bytes: $0.prefix(beforeValueOf: length), isOpen: $0.isOpen)
            }
            let forms = url.keys.lazy.flatMap { key in
                [FormJoin.Form(bucket: bucket, bytes: key, isOpen: false)]
                    + prefixes.flatMap { prefix in
                        (stored.isPlain ? [key] : [key, stored.key(of: key)]).map {
                            FormJoin.Form(
                                bucket: bucket, bytes: prefix.bytes + $0, isOpen: prefix.isOpen)
                        }
                    }
            }
            for form in forms {
                let isMatched = join.match(number, reference, form) {
                    sides.references[$0].patterns == reference.patterns
                }
                if isMatched { break }
            }
        }
        return rewrite(sides, .url, join)
    }

    // Joins both sides by a form of all keys; keys without one are left out.
    private func join(
        _ sides: Sides, _ cause: FindingCause, _ form: ([UInt8]) -> [UInt8]?
    ) -> MappingRewrite? {
        var join = objects(sides, form)
        for (number, reference) in sides.references.enumerated() {
            if pause.stops(at: number) { break }
            guard let bucket = reference.bucket else { continue }
            for pattern in sides.patterns[number] {
                guard let bytes = form(pattern.shown.bytes) else { continue }
                let own = FormJoin.Form(bucket: bucket, bytes: bytes, isOpen: pattern.isOpen)
                let isMatched = join.match(number, reference, own) {
                    sides.references[$0].patterns == reference.patterns
                }
                if isMatched { break }
            }
        }
        return rewrite(sides, cause, join)
    }

    private func objects(_ sides: Sides, _ form: ([UInt8]) -> [UInt8]?) -> FormJoin {
        var join = FormJoin()
        let leavesOpen = sides.patterns.contains { $0.contains(where: \.isOpen) }
        for (number, object) in sides.objects.enumerated() {
            if pause.stops(at: number) { break }
            let key = sides.keys[number]
            if let bytes = form(key.bytes) {
                join.add(
                    object: number,
                    FormJoin.Form(bucket: object.bucket, bytes: bytes, isOpen: false))
            }
            guard leavesOpen else { continue }
            for bytes in open.underLevels(key).compactMap(form) {
                join.add(
                    object: number,
                    FormJoin.Form(bucket: object.bucket, bytes: bytes, isOpen: true))
            }
        }
        return join
    }

    private func rewrite(
        _ sides: Sides, _ cause: FindingCause, _ join: FormJoin,
        prefix: MappingRewrite.Prefix? = nil
    ) -> MappingRewrite? {
        let pairs = join.pairs
        guard pairs > 0 else { return nil }
        let bucket = join.buckets.min { ($1.value, $0.key) < ($0.value, $1.key) }
        let field = join.fields.min {
            ($1.value, $0.key.model, $0.key.field) < ($0.value, $1.key.model, $1.key.field)
        }
        return MappingRewrite(
            cause: cause, prefix: prefix, bucket: bucket?.key ?? 0, pairs: pairs,
            references: sides.references.count, objects: sides.objects.count,
            samples: join.samples(Self.sampleCount).map { reference, object in
                let reference = sides.references[reference]
                return MappingRewrite.Pair(
                    value: reference.value,
                    meant: reference.patterns.first?.shown ?? ObjectKey(reference.value),
                    key: sides.objects[object].object.key)
            },
            field: field.map {
                MappingRewrite.Field(
                    model: $0.key.model, field: $0.key.field, references: $0.value)
            })
    }
}
