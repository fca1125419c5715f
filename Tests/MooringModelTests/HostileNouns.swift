import MooringModel
import SeededNumbers

// Every noun with a JSON form, made of hostile bytes.

extension SeededGenerator {
    mutating func instant() -> Instant {
        Instant(nanoseconds: Int64.random(in: .min ... .max, using: &self))
    }

    mutating func int64() -> Int64 { Int64.random(in: .min ... .max, using: &self) }

    mutating func recordID() -> RecordID {
        bool() ? RecordID(hostileBytes()) : RecordID(parts: some(3) { $0.hostileBytes() })
    }

    mutating func identity() -> RecordIdentity {
        RecordIdentity(source: hostileText(), model: hostileText(), id: recordID())
    }

    mutating func place() -> RecordPlace {
        RecordPlace(
            identity: identity(), field: maybe { $0.hostileText() },
            index: maybe { $0.number(0...999) }, version: maybe { $0.int64() })
    }

    mutating func version() -> ObjectVersion {
        ObjectVersion(
            size: int64(), etag: hostileText(), lastModified: instant(),
            versionID: maybe { $0.hostileText() })
    }

    mutating func finding() -> Finding {
        var finding = Finding(
            id: hostileText(), kind: one(of: FindingKind.allCases),
            cause: maybe { $0.one(of: FindingCause.allCases) },
            verdict: one(of: Verdict.allCases))
        finding.bucket = maybe { $0.hostileText() }
        finding.key = maybe { ObjectKey($0.hostileBytes()) }
        finding.candidates = some(3) { ObjectKey($0.hostileBytes()) }
        finding.object = maybe { $0.version() }
        finding.record = maybe { $0.place() }
        finding.records = some(3) { $0.place() }
        finding.owners = some(3) { $0.identity() }
        finding.value = maybe { $0.hostileBytes() }
        finding.indexes = some(3) { $0.number(0...999) }
        finding.explanation = maybe {
            Explanation(workflow: $0.hostileText(), step: $0.hostileText(), until: $0.instant())
        }
        finding.evidence = some(3) { $0.hostileText() }
        finding.firstSeen = maybe { $0.instant() }
        finding.runs = number(1...1_000)
        finding.action = maybe { $0.one(of: Strategy.allCases) }
        finding.needs = maybe {
            ProofNeed(proof: $0.hostileText(), after: $0.maybe { $0.instant() })
        }
        return finding
    }

    mutating func runID() -> RunID {
        let nanoseconds = Int64.random(in: 0...9_000_000_000_000_000_000, using: &self)
        return RunID(startingAt: Instant(nanoseconds: nanoseconds))
    }

    mutating func step() -> PlanStep {
        PlanStep(
            id: hostileText(), hash: hostileText(), strategy: one(of: Strategy.allCases),
            finding: hostileText(), bucket: maybe { $0.hostileText() },
            key: maybe { ObjectKey($0.hostileBytes()) },
            target: maybe {
                ObjectPlace(bucket: $0.hostileText(), key: ObjectKey($0.hostileBytes()))
            }, record: maybe { $0.place() },
            precondition: Precondition(
                object: maybe { $0.version() }, quarantinedBy: maybe { $0.runID() },
                owners: some(3) { $0.identity() }, value: maybe { $0.hostileBytes() },
                recordVersion: maybe { $0.int64() }))
    }

    mutating func plan() -> Plan {
        let accepted = some(3) { ($0.hostileText(), $0.hostileText()) }
        return Plan(
            id: hostileText(), run: runID(), configuration: hostileText(), createdAt: instant(),
            expiresAt: instant(), confirmedAt: instant(),
            accepted: Dictionary(accepted, uniquingKeysWith: { first, _ in first }),
            steps: some(4) { $0.step() })
    }

    mutating func columnValue() -> ColumnValue {
        let value: FieldValue =
            switch number(0...6) {
            case 0: .absent
            case 1: .null
            case 2: .integer(int64())
            case 3: .real(one(of: [0, -0.0, 1.5, .infinity, -1e300, .leastNonzeroMagnitude, 0.1]))
            case 4: .text(hostileBytes())
            case 5: .blob(hostileBytes())
            default: .json(hostileBytes())
            }
        return ColumnValue(hostileText(), value)
    }

    mutating func entry() -> JournalEntry {
        JournalEntry(
            run: runID(), plan: maybe { $0.hostileText() }, step: step(), intendedAt: instant(),
            change: maybe {
                RecordChange(
                    $0.one(of: RecordChange.Act.allCases), table: $0.hostileText(),
                    idColumns: $0.some(3) { $0.hostileText() },
                    id: $0.recordID(), expected: $0.some(3) { $0.columnValue() },
                    assignments: $0.some(3) { $0.columnValue() })
            }, undoes: maybe { $0.int64() })
    }

    mutating func scan() -> ScanResult.Summary {
        ScanResult.Summary(
            complete: bool(), consistency: hostileText(),
            window: ScanWindow(from: instant(), to: instant()), requests: number(0...9_999),
            problems: some(3) { $0.hostileText() }, problemCount: number(0...9_999))
    }

    mutating func summary() -> RunSummary {
        var summary = RunSummary(
            id: runID(), command: hostileText(), programVersion: hostileText(),
            startedAt: instant(), configuration: hostileText())
        summary.finishedAt = maybe { $0.instant() }
        summary.status = one(of: RunSummary.Status.allCases)
        summary.reason = maybe { $0.hostileText() }
        summary.confirmedAt = maybe { $0.instant() }
        summary.peakMemory = maybe { Int64($0.number(0...1_000_000)) }
        summary.spilled = number(0...3)
        summary.records = some(3) {
            .init(
                name: $0.hostileText(), kind: $0.hostileText(), records: $0.number(0...9_999),
                references: $0.number(0...9_999), scan: $0.scan())
        }
        summary.buckets = some(3) {
            .init(
                name: $0.hostileText(), kind: $0.hostileText(), objects: $0.number(0...9_999),
                bytes: $0.int64(), quarantined: $0.number(0...9_999),
                quarantinedBytes: $0.int64(), scan: $0.scan())
        }
        for kind in some(4, { $0.one(of: FindingKind.allCases) }) {
            var count = RunSummary.Count()
            count.settled = number(0...9_999)
            count.explained = number(0...9_999)
            count.undecided = number(0...9_999)
            count.bytes = int64()
            count.settledBytes = int64()
            count.new = number(0...9_999)
            summary.counts[kind] = count
        }
        summary.guards = some(3) {
            .init(
                name: $0.hostileText(), limit: $0.hostileText(), value: $0.hostileText(),
                refused: $0.bool(), hint: $0.maybe { $0.hostileText() })
        }
        summary.repairs.planned = number(0...9_999)
        summary.repairs.failed = number(0...9_999)
        summary.notes = some(3) { $0.hostileText() }
        return summary
    }
}
