import MooringModel

// The scenarios beyond the tables. Record 0 is the one that the key's template names; record
// 1, where there is one, links the key from a field without a template.
extension Scenario {
    private static let bare = SimulatedRecord(.present)
    private static let holding = SimulatedRecord(.present, KeyList(0))

    /// What the judgement guards against: objects in use that look like orphans.
    static let ofJudgement: [Scenario] = [
        Scenario(
            "young-upload",
            "a device uploads and has not associated yet; without grace it is taken",
            breaks: [(.grace, "missing")],
            [DeviceProgram("create", [.upload, .associate])], [bare], object: nil
        ) { setting, _ in setting.strictness.missing = true },
        Scenario(
            "stale-copy", "one device clears the field, another writes its old copy back",
            breaks: [(.twoSightings, "missing"), (.settledOwner, "missing")],
            [
                DeviceProgram("clear", [.detach]),
                DeviceProgram("write back", [.read, .writeBack]),
            ], [holding]
        ) { setting, _ in setting.strictness.missing = true },
        Scenario(
            "multipart",
            "an old orphan is uploaded again in parts, and looks as old as their beginning",
            breaks: [
                (.firstSightByVersion, "missing"), ([.firstSightByVersion, .quarantine], "lost"),
            ],
            [DeviceProgram("multipart", [.beginMultipart, .completeMultipart, .associate])], [bare]
        ) { setting, _ in
            setting.bounds.multipartWindow = .seconds(8)
            setting.strictness.missing = true
        },
        Scenario(
            "link-during-scan", "records are read; a device links the key elsewhere; the listing",
            breaks: [(.passB, "overlooked"), ([.passB, .quarantine], "lost")],
            [DeviceProgram("link", [.relink], record: 1)], [bare, bare]
        ) { setting, _ in
            setting.untemplated = [1]
            setting.strictness.overlooked = true
        },
        Scenario(
            "unmapped-table", "a table that nobody mapped holds the key",
            breaks: [(.everyTable, "lost")], [], [bare, holding]
        ) { setting, _ in setting.unmapped = [1] },
    ]

    // A device uploads for a record that the key does not name, which shows that to nobody; at
    // the end of U it associates, another reads that, and at the end of S writes it back.
    private static func longestWay(
        _ name: String, _ summary: String, change: (inout Setting) -> Void
    ) -> Scenario {
        Scenario(
            name, summary, breaks: [(.grace, "missing")],
            [
                DeviceProgram("create", [.upload, .associate, .withdraw], record: 1),
                DeviceProgram("write back", [.read, .writeBack], record: 1),
            ], [bare, bare], object: nil
        ) { setting, _ in
            setting.untemplated = [1]
            setting.strictness.missing = true
            setting.doubtsWaits = true
            change(&setting)
        }
    }

    /// What the bounds on devices guard against: each wait is needed to its end.
    static let ofBounds: [Scenario] = [
        longestWay("longest-way", "an upload is associated at the end of U, copied at that of S") {
            _ in
        },
        longestWay("outbox", "devices have outboxes, which outlast U and S") { setting in
            setting.bounds.uploadWindow = .seconds(1)
            setting.bounds.staleWindow = .seconds(1)
            setting.bounds.offlineWindow = .seconds(2)
        },
        longestWay("automerge", "the store keeps what old copies bring back of a list") {
            setting in
            setting.bounds.conflicts = .automerge
            setting.lists = [1]
        },
        longestWay("clocks-apart", "the stores' clocks are behind the auditor's") { setting in
            setting.bounds.uploadWindow = .seconds(1)
            setting.bounds.staleWindow = .seconds(1)
            setting.clock = 2
            setting.skew = 1
        },
        Scenario(
            "long-lived-copy", "a copy is written back long after U",
            breaks: [(.twoSightings, "missing"), (.settledOwner, "missing")],
            [
                DeviceProgram("clear", [.detach]),
                DeviceProgram("write back", [.read, .writeBack]),
            ], [holding]
        ) { setting, _ in
            setting.bounds.uploadWindow = .seconds(1)
            setting.bounds.staleWindow = .seconds(4)
            setting.strictness.missing = true
            setting.doubtsWaits = true
        },
        Scenario(
            "no-old-copies", "the store refuses old copies, and nobody waits for any", breaks: [],
            [
                DeviceProgram("clear", [.read, .detach]),
                DeviceProgram("write back", [.read, .writeBack]),
            ], [holding]
        ) { setting, _ in
            setting.bounds.conflicts = .optimistic
            setting.strictness.missing = true
            setting.doubtsWaits = true
        },
    ]

    /// What the act itself guards against: devices that come between two of its steps.
    static let ofRemoval: [Scenario] = [
        Scenario(
            "relink-before-act",
            "a device associates an old orphan after the judgement; nobody asks before the act",
            breaks: [(.requery, "disturbed")],
            [DeviceProgram("relink", [.relink])], [bare]
        ) { setting, _ in setting.strictness.disturbed = true },
        Scenario(
            "relink-within-act",
            "a device associates an old orphan between the question and the quarantine",
            breaks: [(.ownersAfter, "missing")],
            [DeviceProgram("relink", [.relink])], [bare]
        ) { setting, _ in setting.strictness.missing = true },
        Scenario(
            "unanswered-question", "the same, and a question to the owner stays without an answer",
            breaks: [(.requery, "disturbed")],
            [DeviceProgram("relink", [.relink])], [bare]
        ) { setting, _ in
            (setting.faults, setting.onlyQuestionsFail) = (1, true)
            (setting.strictness.disturbed, setting.strictness.missing) = (true, true)
        },
        Scenario(
            "new-content", "copy; a device uploads new content and associates; plain delete",
            breaks: [(.condition, "lost")],
            [DeviceProgram("same key again", [.upload, .associate])], [bare]
        ) { setting, _ in
            setting.copiesAndDeletes = true
            setting.tag = .content
        },
        Scenario(
            "same-bytes", "a device uploads the same bytes again, which an ETag does not tell",
            breaks: [(.versionComparison, "disturbed"), (.quarantine, "lost")],
            [DeviceProgram("same key again", [.uploadSame, .associate])], [bare]
        ) { setting, _ in
            setting.tag = .content
            setting.strictness.disturbed = true
        },
        Scenario(
            "relink-for-good", "a device associates an existing object between question and delete",
            breaks: [(.quarantine, "lost")],
            [DeviceProgram("relink", [.relink])], [bare]),
        Scenario(
            "absent-owner", "the record is deleted; a device that read it before creates it again",
            breaks: [(.quarantine, "lost")],
            [
                DeviceProgram("delete record", [.deleteRecord]),
                DeviceProgram("write back", [.read, .writeBack]),
            ], [holding]),
        Scenario(
            "move-and-crash", "the auditor dies anywhere in a removal of two steps",
            breaks: [], [DeviceProgram("relink", [.relink])], [bare]
        ) { setting, _ in
            setting.copiesAndDeletes = true
            setting.tag = .content
            setting.crashes = 2
        },
    ]

    // Two copies of the record, one read from the other, around what a device does to it.
    private static func copies(of steps: [DeviceStep]) -> [DeviceProgram] {
        let copy = DeviceProgram("write back", [.read, .writeBack])
        return [DeviceProgram("clear", steps), copy, copy]
    }

    private static func deletion(_ setting: inout Setting, _ world: inout World) {
        setting.deletes = true
        setting.bounds.uploadWindow = .seconds(1)
        setting.bounds.staleWindow = .seconds(1)
    }

    /// What guards a deletion that nothing takes back, where nobody links existing objects.
    static let ofDeletion: [Scenario] = [
        Scenario(
            "delete-copies", "old copies are written back between two sightings; then a deletion",
            breaks: [(.settledOwner, "lost")], copies(of: [.detach, .detach]), [holding],
            change: deletion),
        Scenario(
            "delete-vanished", "the same, and the record is gone by the second of them",
            breaks: [(.settledOwner, "lost")], copies(of: [.detach, .deleteRecord]), [holding],
            change: deletion),
        Scenario(
            "delete-linked", "a record that the key does not name held it; a copy of that",
            breaks: [(.twoSightings, "lost")],
            [
                DeviceProgram("clear", [.detach], record: 1),
                DeviceProgram("write back", [.read, .writeBack], record: 1),
            ], [bare, holding]
        ) { setting, world in
            deletion(&setting, &world)
            setting.untemplated = [1]
        },
        Scenario(
            "delete-and-crash", "a device uploads again; the auditor dies, and answers are lost",
            breaks: [([.condition, .versionComparison], "lost")],
            [DeviceProgram("same key again", [.upload, .associate])], [bare]
        ) { setting, world in
            deletion(&setting, &world)
            (setting.crashes, setting.faults) = (1, 1)
        },
    ]

    /// What guards the way out of quarantine, back or for good.
    static let ofQuarantine: [Scenario] = [
        Scenario(
            "restore-over-upload",
            "the watch decides to restore; a device uploads new content and associates",
            breaks: [(.noOverwrite, "lost")],
            [DeviceProgram("same key again", [.upload, .associate])], [holding], object: nil
        ) { _, world in
            world.held = [HeldObject(key: 0, run: -5, heldAt: 0, object: old)]
            world.truth[0].content = old.content
        },
        Scenario(
            "link-after-last-run",
            "a device that saw the object links it elsewhere after the last run; then the sweep",
            breaks: [(.ownScan, "lost"), (.cleanRuns, "lost")],
            [DeviceProgram("link", [.look, .associate], record: 1)], [bare, bare]),
        Scenario(
            "chain-of-copies",
            "old copies are written back one after the other, between two runs that see none of it",
            breaks: [(.settledOwner, "lost")],
            [
                DeviceProgram("relink", [.detach, .relink, .detach, .detach]),
                DeviceProgram("write back", [.read, .writeBack]),
                DeviceProgram("write back", [.read, .writeBack]),
            ], [holding]),
        Scenario(
            "vanished-owner", "the same, and the record is gone by the last of those runs",
            breaks: [(.settledOwner, "lost")],
            [
                DeviceProgram("relink", [.detach, .relink, .detach, .deleteRecord]),
                DeviceProgram("write back", [.read, .writeBack]),
                DeviceProgram("write back", [.read, .writeBack]),
            ], [holding]
        ) { setting, _ in
            setting.bounds.uploadWindow = .seconds(1)
            setting.bounds.staleWindow = .seconds(1)
        },
        Scenario(
            "copies-of-a-link", "between two runs a device links it elsewhere, and a copy of that",
            breaks: [([.cleanRuns, .spreadLooks], "lost")],
            [
                DeviceProgram("link", [.look, .associate, .withdraw], record: 1),
                DeviceProgram("write back", [.read, .writeBack], record: 1),
            ], [bare, bare]
        ) { setting, _ in
            setting.untemplated = [1]
            setting.doubtsWaits = true
        },
        Scenario(
            "restore-fails", "a link is seen before the sweep, and the restore fails",
            breaks: [(.ownScan, "lost")],
            [DeviceProgram("link", [.look, .associate], record: 1)], [bare, bare]
        ) { setting, _ in
            setting.untemplated = [1]
            setting.faults = 1
        },
        Scenario(
            "quarantined-twice",
            "a key was quarantined and came back with the same bytes; it is an orphan once more",
            breaks: [(.ownersAfter, "missing")],
            [DeviceProgram("relink", [.relink])], [bare]
        ) { setting, world in
            setting.tag = .content
            setting.copiesAndDeletes = true
            setting.strictness.missing = true
            world.held = [HeldObject(key: 0, run: -5, heldAt: 0, object: old)]
        },
        Scenario(
            "copy-beyond-bounds", "a device in a drawer writes back between scan and sweep",
            breaks: [(.requery, "disturbed")],
            [
                DeviceProgram("clear", [.detach]),
                DeviceProgram("write back", [.read, .writeBack]),
            ], [holding], only: "disturbed"
        ) { setting, _ in
            setting.breaksBounds = true
            setting.strictness.disturbed = true
        },
    ]

    /// A link from a field without a template that stands only between runs: so many copies of it
    /// are written back, each read while the one before stands, which is cleared again at once. All
    /// of it is one device's work, since the order of its steps is the only one that matters.
    package static func chain(
        _ name: String, _ summary: String, copies: Int,
        breaks: [(without: Safeguards, word: String)] = []
    ) -> Scenario {
        let copy: [DeviceStep] = [.read, .detach, .writeBack]
        return Scenario(
            name, summary, breaks: breaks,
            [
                DeviceProgram(
                    "chain of copies", Array(repeating: copy, count: copies).flatMap(\.self),
                    record: 1)
            ], [bare, holding]
        ) { setting, _ in
            setting.untemplated = [1]
            setting.leavesReferences = true
            setting.hasQuickRuns = true
            setting.countsLooks = true
            setting.bounds.uploadWindow = .seconds(1)
            setting.bounds.staleWindow = .seconds(1)
        }
    }

    /// What guards references whose object appears after all.
    static let ofNulling: [Scenario] = [
        Scenario(
            "heal-after-look", "the object of a dangling reference appears while it is nulled",
            breaks: [(.putBack, "nulled"), (.sandwich, "disturbed")],
            [DeviceProgram("heal", [.upload, .associate])], [holding], object: nil
        ) { setting, _ in setting.strictness.disturbed = true },
        Scenario(
            "heal-and-touch",
            "the object appears while its reference is nulled, and the record is written",
            breaks: [(.putBack, "nulled")],
            [
                DeviceProgram("heal", [.upload]), DeviceProgram("touch", [.touch]),
            ], [holding], object: nil
        ) { setting, _ in setting.crashes = 1 },
        Scenario(
            "heal-and-crash", "the auditor dies between nulling and putting back",
            breaks: [(.journal, "nulled")],
            [DeviceProgram("heal", [.upload, .associate])], [holding], object: nil
        ) { setting, _ in setting.crashes = 1 },
        Scenario(
            "late-write",
            "a null write gives no answer and is carried out when the object is there",
            breaks: [(.fence, "nulled")],
            [DeviceProgram("heal", [.upload, .associate])], [holding], object: nil
        ) { setting, _ in
            setting.faults = 1
            setting.strictness.disturbed = true
        },
        Scenario(
            "failing-put-back", "the object appears, and putting the reference back fails again",
            breaks: [(.putBack, "nulled")],
            [DeviceProgram("heal", [.upload])], [holding], object: nil
        ) { setting, _ in setting.faults = 3 },
        Scenario(
            "two-auditors",
            "one auditor dies between nulling and putting back; another with its own ledger acts",
            breaks: [(.lease, "nulled")],
            [DeviceProgram("heal", [.upload, .associate])], [holding], object: nil, auditors: 2
        ) { setting, _ in setting.crashes = 1 },
    ]

    /// What the full protocol does not survive, so that nobody takes the limit for a secret. The
    /// auditor of these worlds waits for chains of two copies, where the product waits for three:
    /// larger ones cannot be explored in full.
    package static let limits: [Scenario] = [
        chain(
            "unseen-chain",
            "a link elsewhere stands only between runs, kept alive by three old copies, each read "
                + "from the one before: one more than the looks are spread for",
            copies: 3)
    ]

    /// A chain that the looks are spread for.
    static let ofLooks: [Scenario] = [
        chain(
            "seen-chain",
            "a link elsewhere stands only between runs, kept alive by two old copies, one read "
                + "from the other",
            copies: 2, breaks: [(.spreadLooks, "lost")])
    ]
}
