import MooringDecisions
import MooringModel
import MooringReporting

/// What people's words made of a plan, as it is told.
struct ReviewAnswer {
    /// What became of steps and approvals.
    let review: PlanReview
    /// The files, as rows count them.
    let paths: [String]

    /// What must be read of it: how many steps stayed and why others did not, and each approval
    /// that is not done.
    var lines: [String] {
        var lines = [
            "reviewed: \(count(.approved)) approved, \(count(.kept)) kept, "
                + "\(count(.undecided)) without a decision, \(count(.changed)) changed, "
                + "\(count(.unmentioned)) in no file"
        ]
        if review.contradicted > 0 {
            lines.append(
                "approved in one row and kept in another, so kept: "
                    + Measure.count(review.contradicted, "finding"))
        }
        if !review.changes.isEmpty {
            lines.append("changed meanwhile, not done:")
            lines += review.changes.map { change in
                "  \(place(change.line)): \(Self.words(change.reason)); finding "
                    + change.line.seen.finding.prefix(12)
            }
        }
        return lines
    }

    /// The same for programs, as the member `review` of the plan's document.
    var json: JSONValue {
        .members([
            "approved": .whole(count(.approved)), "kept": .whole(count(.kept)),
            "undecided": .whole(count(.undecided)), "changed": .whole(count(.changed)),
            "unmentioned": .whole(count(.unmentioned)),
            "contradicted": .whole(review.contradicted),
            "notDone": .array(
                review.changes.map { change in
                    .members([
                        "file": .string(paths[change.line.place.file]),
                        "line": .whole(change.line.place.line),
                        "finding": .string(change.line.seen.finding),
                        "reason": .string(change.reason.rawValue),
                    ])
                }),
        ])
    }

    private func count(_ fate: PlanReview.Fate) -> Int { review.counts[fate] ?? 0 }

    private func place(_ line: ReviewLine) -> String {
        VisibleText.ascii(paths[line.place.file]) + ":\(line.place.line)"
    }

    private static func words(_ reason: PlanReview.Reason) -> String {
        switch reason {
        case .gone: "no longer found"
        case .unplanned: "found, and nothing is planned about it now"
        case .strategy: "another step is planned now"
        case .changed: "its cause, object or record is another one now"
        case .torn: "the row's cells are of several steps (sorted by one column alone?)"
        }
    }
}
