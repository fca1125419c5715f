import Glibc
package import MooringModel

extension DirectoryBucket {
    /// Looks at a file by names alone; absent only when the folder is there, is the one seen
    /// before, and has no such name. A link on the way, a mount, an error: unknown.
    package func head(_ key: ObjectKey) async -> HeadAnswer {
        do {
            let path = try ObjectPath(key)
            guard !isQuarantined(path) else {
                return .unknown("the key lies in the quarantine")
            }
            return look(at: path, below: [])
        } catch {
            return .unknown(error.reason)
        }
    }

    /// Looks at `QUARANTINE/RUN/KEY` in the same way; no quarantine yet means absent.
    package func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        do {
            return look(at: try ObjectPath(key), below: quarantinePath + [Array(run.text.utf8)])
        } catch {
            return .unknown(error.reason)
        }
    }

    private func look(at path: ObjectPath, below prefix: [[UInt8]]) -> HeadAnswer {
        do {
            let root = try openRoot()
            do {
                let folder = try Descent(from: root, along: prefix + path.folders).folder
                return answer(try folder.facts(path.name))
            } catch let obstacle as Obstacle {
                switch obstacle.cause {
                case .absent, .file: return try absence()
                default: return .unknown(obstacle.reason)
                }
            } catch let failure as SystemFailure where failure.code == ENOENT {
                return try absence()
            }
        } catch let error as StoreError {
            return .unknown(error.description)
        } catch let failure as SystemFailure {
            return .unknown(failure.text)
        } catch {
            return .unknown("the file could not be looked at")
        }
    }

    // A disk that was unmounted while we looked takes every file along: its folder is asked for
    // once more before a missing name counts as an absent object.
    private func absence() throws(StoreError) -> HeadAnswer {
        _ = try openRoot()
        return .absent
    }

    private func answer(_ facts: FileFacts) -> HeadAnswer {
        switch facts.kind {
        case .file, .link: .present(facts.version(trust: trust))
        case .folder: .unknown("a folder has this name")
        case .other: .unknown("a socket, fifo or device has this name")
        }
    }
}
