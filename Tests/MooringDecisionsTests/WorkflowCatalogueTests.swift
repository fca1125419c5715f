import Foundation
import MooringDecisions
import MooringModel
import Testing

/// The table of workflows as data: complete, and true to its own rules.
@Suite("The catalogue of workflows")
struct WorkflowCatalogueTests {
    private let all = WorkflowCatalogue.all

    @Test("every workflow of the design is there once, under its name")
    func names() {
        #expect(
            all.map(\.name) == [
                "create", "create with files", "create with complex object", "add or update",
                "same key again", "append to list", "replace in list", "clear the association",
                "detach and delete", "delete both, file first", "delete both, record first",
                "read", "write back", "multipart upload", "background upload", "sign-in",
            ])
        for workflow in all {
            #expect(WorkflowCatalogue.workflow(workflow.name) == workflow)
            #expect(!workflow.steps.isEmpty && !workflow.shapes.isEmpty, "\(workflow.name)")
            let steps = workflow.steps.map(\.name)
            #expect(Set(steps).count == steps.count, "\(workflow.name)")
        }
        #expect(WorkflowCatalogue.workflow("no such") == nil)
    }

    @Test("every act of a device is a step of some workflow")
    func acts() {
        #expect(Set(all.flatMap(\.steps).map(\.act)) == Set(DeviceAct.allCases))
    }

    @Test("an object that becomes visible opens U, parts open M, a copy to be written back opens S")
    func windows() {
        for workflow in all {
            for (index, step) in workflow.steps.enumerated() {
                let rest = workflow.steps[(index + 1)...]
                if step.act.makesVisible { #expect(step.opens == .upload, "\(workflow.name)") }
                if step.act == .uploadParts { #expect(step.opens == .multipart) }
                if step.act == .readRecord, rest.contains(where: { $0.act == .setFromCopy }) {
                    #expect(step.opens == .stale, "\(workflow.name)")
                }
            }
        }
    }

    @Test("what becomes visible without a reference leaves an orphan in every state its shape has")
    func uploads() {
        for workflow in all {
            for step in workflow.steps where step.act.makesVisible {
                for shape in workflow.shapes {
                    let wanted = DifferenceState.orphans.filter { $0.isPossible(for: shape) }
                    let left = Set(step.leaves.map(\.state))
                    #expect(left.isSuperset(of: wanted), "\(workflow.name), \(shape)")
                }
            }
        }
    }

    @Test("a removal before its record's is the only crash that leaves a dangling reference")
    func dangling() {
        for workflow in all {
            for step in workflow.steps {
                let crash = step.leaves.contains {
                    $0.state == .objectIsAbsent && $0.maker == .crash
                }
                #expect(
                    crash
                        == (workflow == WorkflowCatalogue.deleteBothFileFirst
                            && step.act == .remove))
            }
        }
    }

    @Test("no workflow leaves a state that a field of its shapes cannot be in")
    func shapes() {
        for workflow in all {
            for residue in workflow.steps.flatMap(\.leaves) {
                #expect(
                    workflow.shapes.contains { residue.state.isPossible(for: $0) },
                    "\(workflow.name): \(residue)")
            }
        }
    }

    @Test("a field that is a list of complex objects is a list")
    func shapeOfField() {
        #expect(FieldShape(of: FileField(field: "f")) == .scalar)
        #expect(FieldShape(of: FileField(field: "f", isList: true)) == .list)
        #expect(FieldShape(of: FileField(field: "f", isComplex: true)) == .complex)
        #expect(FieldShape(of: FileField(field: "f", isList: true, isComplex: true)) == .list)
    }

    // MARK: Docs/RACES.md

    private static let page = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs/RACES.md")

    private func row(_ workflow: Workflow) -> String {
        let steps = workflow.steps.map { step in
            step.name + (step.opens.map { " (\($0.letter))" } ?? "")
        }
        let residues = workflow.steps.flatMap { step in
            step.leaves.filter { $0.maker != .rival || $0.sign != .none }.map(\.cause.rawValue)
        }
        var causes: [String] = []
        for cause in residues where !causes.contains(cause) { causes.append(cause) }
        let shapes =
            workflow.shapes.count == FieldShape.allCases.count
            ? "all" : workflow.shapes.map { "\($0)" }.joined(separator: ", ")
        let left = causes.isEmpty ? "nothing" : causes.map { "`\($0)`" }.joined(separator: ", ")
        return "| \(workflow.name) | \(shapes) | \(steps.joined(separator: " · ")) | \(left) |"
    }

    @Test("the page for users holds the catalogue; MOORING_RECORD=1 writes its table anew")
    func documentation() throws {
        let begin = "<!-- workflows -->\n"
        let end = "<!-- end of workflows -->"
        let table =
            "| workflow | fields | steps | leaves |\n|---|---|---|---|\n"
            + all.map { row($0) + "\n" }.joined()
        var page = try String(contentsOf: Self.page, encoding: .utf8)
        let from = try #require(page.range(of: begin)).upperBound
        let to = try #require(page.range(of: end)).lowerBound
        if ProcessInfo.processInfo.environment["MOORING_RECORD"] == "1" {
            page.replaceSubrange(from..<to, with: table)
            try Data(page.utf8).write(to: Self.page)
        } else {
            #expect(page[from..<to] == table)
        }
    }
}

extension Window {
    fileprivate var letter: String {
        switch self {
        case .upload: "U"
        case .stale: "S"
        case .multipart: "M"
        }
    }
}
