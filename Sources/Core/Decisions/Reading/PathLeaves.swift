import MooringModel

/// The values that a path leads to inside a nested value.
struct PathLeaf {
    /// The index in the list on the way; nil where there is none.
    let index: Int?
    /// The value, of whatever kind.
    let node: JSONNode
}

/// Walks a path through a nested value.
enum PathLeaves {
    /// The values at the path's end, in the order of the list on the way; a member that is not
    /// there has none, nor has a null on the way. Nil where another kind of value stands in the
    /// way, which may hide references.
    static func of(_ root: JSONNode, _ steps: [FieldPath.Step]) -> [PathLeaf]? {
        var leaves = [PathLeaf(index: nil, node: root)]
        for step in steps {
            var next: [PathLeaf] = []
            for leaf in leaves where leaf.node.kind != .null {
                switch step {
                case .member(let name):
                    guard let members = leaf.node.members else { return nil }
                    // Of a name that repeats the last one counts, as for every reader of JSON.
                    let member = members.last { $0.name.elementsEqual(name.utf8) }
                    if let member {
                        next.append(PathLeaf(index: leaf.index, node: member.value))
                    }
                case .elements:
                    guard let elements = leaf.node.elements else { return nil }
                    next += elements.enumerated().map { PathLeaf(index: $0, node: $1) }
                }
            }
            leaves = next
        }
        return leaves
    }
}
