import MooringModel
import Testing

@testable import MooringFiles

@Suite("What is mounted a second time")
struct MountTableTests {
    private func origin(
        _ path: String, bucket: String = "/srv/app/files", _ mounts: String...
    ) -> MountTable.Origin {
        let text = (["22 1 8:1 / / rw - ext4 /dev/a rw"] + mounts).joined(separator: "\n") + "\n"
        return MountTable(Array(text.utf8)).origin(
            of: Array(path.utf8), inBucketAt: Array(bucket.utf8))
    }

    @Test("is told by what of its file system each mount shows")
    func origins() {
        let place = "/srv/app/files/albums"
        func mount(_ root: String, _ device: String = "8:1", at place: String = place) -> String {
            "30 22 \(device) \(root) \(place) rw,relatime shared:1 - ext4 /dev/a rw"
        }
        #expect(origin(place, mount("/srv/other")) == .elsewhere)
        #expect(origin(place, mount("/srv/app/files2/x")) == .elsewhere)
        #expect(origin(place, mount("/srv/app/files/real/x")) == .inside(ObjectKey("real/x")))
        #expect(origin(place, mount("/srv/app/files/real", "8:2")) == .elsewhere)
        // What holds the bucket's folder has its keys below its own.
        #expect(origin(place, mount("/srv/app/files")) == .unknown)
        #expect(origin(place, mount("/srv")) == .unknown)
        // The last of several at one place is what is seen.
        #expect(origin(place, mount("/srv/app/files/a"), mount("/x")) == .elsewhere)
        // The bucket's folder lies on a mount of its own.
        let own = mount("/volume", "8:3", at: "/srv/app")
        #expect(
            origin(place, own, mount("/volume/files/real", "8:3")) == .inside(ObjectKey("real")))
        #expect(origin(place, own, mount("/srv/app/files/real", "8:3")) == .elsewhere)
        #expect(
            origin(
                "/srv/a b/c\\", bucket: "/srv/a b",
                mount("/srv/a\\040b/x", at: "/srv/a\\040b/c\\134"))
                == .inside(ObjectKey("x")))
    }

    @Test("is not known where the kernel does not list it")
    func unknown() {
        #expect(origin("/srv/app/files/albums") == .unknown)
        #expect(origin("/srv/app/files/albums", "damaged", "1 2 3") == .unknown)
        #expect(
            MountTable([]).origin(of: Array("/a/b".utf8), inBucketAt: Array("/a".utf8)) == .unknown)
    }
}
