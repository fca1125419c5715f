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
            guard !OwnKey.contains(key) else { return .unknown(Self.leaseDoubt) }
            return look(at: path, below: [])
        } catch {
            return .unknown(error.reason)
        }
    }

    /// Looks at `QUARANTINE/RUN/KEY` in the same way; no quarantine yet means absent.
    package func headQuarantined(_ key: ObjectKey, run: RunID) async -> HeadAnswer {
        do {
            guard !OwnKey.contains(key) else { return .unknown(Self.leaseDoubt) }
            return look(at: try ObjectPath(key), below: quarantinePath + [Array(run.text.utf8)])
        } catch {
            return .unknown(error.reason)
        }
    }

    private func look(at path: ObjectPath, below prefix: [[UInt8]]) -> HeadAnswer {
        do throws(StoreError) {
            let root = try openRoot()
            do throws(Obstacle) {
                let place = prefix + path.folders
                return answer(try Sighting(of: path.name, along: place, from: root).facts)
            } catch {
                guard error.meansAbsence else { return .unknown(error.reason) }
            }
            interruption(.beforeAbsence)
            // A disk that was unmounted while we looked takes every file along: its folder is
            // asked for once more before a missing name counts as an absent object.
            _ = try openRoot()
            return .absent
        } catch {
            return .unknown(error.description)
        }
    }

    private func answer(_ facts: FileFacts) -> HeadAnswer {
        switch facts.kind {
        case .file, .link: .present(facts.version(trust: trust))
        case .folder: .folder
        case .other: .unknown("a socket, fifo or device has this name")
        }
    }
}
