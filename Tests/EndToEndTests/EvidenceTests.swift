import Foundation
import Glibc
import Testing

/// `mooring evidence`: the archive is read by the tools of others, and no change to it is missed.
@Suite("Evidence")
struct EvidenceTests {
    /// Reads an archive with Python alone: names, types, modes, and the chain by the page of it.
    private static let reader = """
        import hashlib, json, sys, tarfile
        archive = tarfile.open(sys.argv[1], 'r:gz')
        members = {}
        for member in archive:
            assert member.isreg() and member.mode == 0o600 and member.uid == 0, member.name
            members[member.name.split('/')[1]] = archive.extractfile(member).read()
        manifest = json.loads(members['MANIFEST.json'])
        assert manifest['schema'] == 'mooring.evidence/1'
        for member in manifest['members']:
            content = members[member['name']]
            assert len(content) == member['size'], member
            assert hashlib.sha256(content).hexdigest() == member['sha256'], member
        def digest(parts):
            hash = hashlib.sha256()
            for part in parts:
                hash.update(len(part).to_bytes(8, 'little') + part)
            return hash.digest()
        def cell(kind, value):
            if value is None: return b'\\0'
            if kind == 'integer': return b'\\1' + value.to_bytes(8, 'big', signed=True)
            return (b'\\3' if kind == 'text' else b'\\4') + value.encode()
        lines = [json.loads(line) for line in members['chain.jsonl'].splitlines()]
        last = bytes.fromhex(lines[0]['hash'])
        contents = {}
        for link in lines[1:]:
            content = bytes.fromhex(link['content'])
            last = digest([last, link['kind'].encode(),
                link['entry'].to_bytes(8, 'big', signed=True), content])
            assert last.hex() == link['hash'], link
            contents[link['entry'], link['kind']] = content
        assert last.hex() == manifest['journal']['head']['hash']
        entries = [json.loads(line) for line in members['journal.jsonl'].splitlines()]
        for entry in entries:
            if entry.get('erasures'): continue
            intent = digest([cell('text', entry['run']), cell('blob', entry.get('plan')),
                cell('integer', entry['intendedAt']), cell('blob', entry['document'])])
            assert intent == contents[entry['entry'], 'intent'], entry
            if entry.get('outcome'):
                outcome = digest([cell('text', entry['outcome']),
                    cell('blob', entry.get('reason')), cell('integer', entry['endedAt'])])
                assert outcome == contents[entry['entry'], 'outcome'], entry
        print(json.dumps({'names': sorted(members), 'entries': len(entries),
            'outcomes': [entry.get('outcome') for entry in entries]}))
        """

    /// Writes members in Python as Mooring writes them: `put(out, name, content, kind)`.
    private static let writer = """
        def put(out, name, content, kind=b'0'):
            size = len(content) if kind == b'0' else 0
            head = bytearray(512)
            head[0:len(name)] = name.encode()
            for at, text in ((100, '0000600'), (108, '0000000'), (116, '0000000'),
                    (124, '%011o' % size), (136, '%011o' % 0), (148, ' ' * 8)):
                head[at:at + len(text)] = text.encode()
            head[156:157] = kind
            head[257:265] = b'ustar\\x0000'
            head[148:156] = b'%06o\\0 ' % sum(head)
            out.write(bytes(head) + (content + bytes(-size % 512) if size else b''))
        """

    private func python(_ app: App, _ script: String, _ words: String...) throws -> String {
        try app.write("script.py", script)
        let running = try RunningProgram(
            ["python3", "script.py"] + words, in: app.path,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
        let result = try running.wait(timeout: 60)
        try #require(result.status == 0, "\(result.told)")
        return result.output
    }

    /// An app whose orphan was quarantined and whose dangling reference was nulled, and the orphan
    /// given back; gives the key.
    private func repaired() throws -> (app: App, key: String) {
        let app = try App()
        let key = try app.orphan("s1")
        try app.dangling("d1")
        try app.healthy()
        try app.expect(0, "repair", try app.plan().path, "--apply")
        try app.expect(0, "undo", "--key", key, "--apply")
        return (app, key)
    }

    private func run(_ app: App, _ command: String) throws -> String {
        try #require(try app.newest(command)["id"].string)
    }

    @Test("The archive of a repair is read by tar and Python, its chain by Python alone")
    func others() throws {
        let (app, _) = try repaired()
        let run = try run(app, "repair")
        let told = try app.expect(0, "evidence", run)
        let name = "mooring-evidence-\(run).tar.gz"
        #expect(told.output.contains("evidence of run \(run): "), "\(told.told)")
        #expect(told.output.contains("next: mooring evidence verify \(name)"), "\(told.told)")
        let sum = """
            import hashlib, sys
            print(hashlib.sha256(open(sys.argv[1], 'rb').read()).hexdigest())
            """
        let digest = try python(app, sum, name).prefix(64)
        #expect(told.output.contains("keep elsewhere: sha256 \(digest)"), "\(told.told)")
        let read = try JSON(parsing: try python(app, Self.reader, name))
        #expect(
            read["names"].elements.compactMap(\.string) == [
                "MANIFEST.json", "chain.jsonl", "configuration.json", "findings.jsonl",
                "journal.jsonl", "plans.jsonl", "report.json", "runs.json", "stores.json",
                "versions.json",
            ])
        // Both steps, and the undo of one of them.
        #expect(
            read["outcomes"].elements.compactMap(\.string).sorted() == ["done", "done", "done"])
        #expect(Folder.command(["tar", "-xzf", app.path + "/" + name, "-C", app.path]) == 0)
        let folder = "mooring-evidence-\(run)/"
        let report = try JSON(parsing: try #require(app.read(folder + "report.json")))
        #expect(report["repairs"]["done"].integer == 2)
        #expect(try #require(app.read(folder + "findings.jsonl")).split(separator: "\n").count == 2)
        var status = stat()
        #expect(stat(app.path + "/" + name, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let verified = try app.expect(0, "evidence", "verify", name)
        #expect(verified.output.contains("everything is as it was written"), "\(verified.told)")
    }

    @Test("Every kind of run verifies, before and after what came later")
    func everyRun() throws {
        let (app, _) = try repaired()
        var settings = App.Settings()
        settings.repair = "{apply: true, orphan: quarantine, retention: 0d}"
        try app.configure(settings)
        try app.orphan("s2")
        try app.expect(0, "run")
        try app.expect(0, "check", "--json")
        try app.expect(0, "sweep", "--apply")
        for id in try app.runs().compactMap({ $0["id"].string }) {
            try app.expect(0, "evidence", id, "--output", "\(id).tar.gz", "--quiet")
            try app.expect(0, "evidence", "verify", "\(id).tar.gz")
        }
        // It needs neither configuration nor ledger.
        let id = try run(app, "repair")
        try app.rename("mooring.yaml", to: "gone.yaml")
        try app.rename("mooring.ledger", to: "gone.ledger")
        let json = try app.expect(0, "evidence", "verify", "\(id).tar.gz", "--json").json()
        #expect(json["sound"].bool == true && json["run"].string == id)
    }

    @Test("Of a key it holds what every run found, every repair, and nobody else's findings")
    func key() throws {
        let (app, key) = try repaired()
        try app.orphan("somebody-else")
        try app.audit()
        let percent = key.replacing("/", with: "%2F")
        for (number, spelling) in [key, percent, "s3://x/" + key].enumerated() {
            let isOurs = number < 2
            try app.expect(isOurs ? 0 : 2, "evidence", spelling, "--output", "k\(number).tar.gz")
        }
        try app.expect(0, "evidence", "verify", "k0.tar.gz")
        #expect(Folder.command(["tar", "-xzf", app.path + "/k0.tar.gz", "-C", app.path]) == 0)
        let folder = "mooring-evidence-\(try run(app, "undo"))/"
        let story = try #require(app.read(folder + "story.jsonl"))
        #expect(story.split(separator: "\n").count == 2, "\(story)")
        #expect(try #require(app.read(folder + "journal.jsonl")).split(separator: "\n").count == 2)
        for name in app.files(below: folder).keys {
            let text = try #require(app.read(folder + String(decoding: name, as: UTF8.self)))
            #expect(!text.contains("somebody-else"), "\(String(decoding: name, as: UTF8.self))")
        }
        let report = try JSON(parsing: try #require(app.read(folder + "report.json")))
        #expect(report["notes"].elements.isEmpty && report["run"]["reason"].string == nil)
        // A record, by its name.
        try app.expect(0, "evidence", "Song/d1", "--output", "record.tar.gz")
        try app.expect(0, "evidence", "verify", "record.tar.gz")
        let none = try app.expect(2, "evidence", "no/such/key")
        #expect(none.errors.contains("nothing that the ledger tells of"), "\(none.errors)")
    }

    @Test("It replaces nothing, and only reads the ledger")
    func changesNothing() throws {
        let (app, _) = try repaired()
        try app.write("taken.tar.gz", "theirs")
        let taken = try app.expect(2, "evidence", "latest", "--output", "taken.tar.gz")
        #expect(taken.errors.contains("nothing is replaced"), "\(taken.errors)")
        #expect(app.read("taken.tar.gz") == "theirs")
        try app.expect(2, "evidence", "latest", "--output", "no/such/folder/x")
        let head = try app.expect(0, "journal", "verify").output
        try app.expect(0, "evidence", "latest", "--output", "x.tar.gz", "--json")
        #expect(try app.expect(0, "journal", "verify").output == head)
        #expect(app.files(below: ".").keys.allSatisfy { !$0.suffix(5).elementsEqual(".part".utf8) })
        let named = try app.expect(0, "evidence", "latest", "--output", "caf\u{E9} x.tar.gz")
        #expect(
            named.output.contains("evidence verify 'caf\u{E9} x.tar.gz'"), "\(named.told)")
        try app.expect(64, "evidence")
        try app.expect(64, "evidence", "verify")
        try app.expect(2, "evidence", "verify", "no-such-file")
    }

    /// What verify says of e.tar.gz after a change in Python; its hashes are made anew where it is
    /// sealed.
    private func told(
        _ app: App, _ change: String, sealed: Bool = true
    ) throws -> String {
        let script = """
            import gzip, hashlib, json, tarfile
            archive = tarfile.open('e.tar.gz', 'r:gz')
            folder = archive.next().name.split('/')[0]
            members = [(m.name.split('/')[1], archive.extractfile(m).read())
                for m in archive.getmembers()]
            types, names = {}, {}
            def edit(name, change):
                members[:] = [(n, change(c) if n == name else c) for n, c in members]
            \(change)
            if \(sealed ? "True" : "False"):
                manifest = json.loads(members[0][1])
                manifest['members'] = [{'name': n, 'size': len(c),
                    'sha256': hashlib.sha256(c).hexdigest()} for n, c in members[1:]]
                members[0] = (members[0][0], json.dumps(manifest).encode())
            out = gzip.open('changed.tar.gz', 'wb')
            for name, content in members:
                place = names.get(name, folder + '/' + name)
                put(out, place, content, types.get(name, tarfile.REGTYPE))
            out.write(bytes(1024))
            out.close()
            """
        app.remove("changed.tar.gz")
        _ = try python(app, Self.writer + "\n" + script)
        return try app.expect(
            change == "pass" ? 0 : 2, "evidence", "verify", "changed.tar.gz"
        ).errors
    }

    /// An archive of a repair, in e.tar.gz.
    private func archived() throws -> App {
        let (app, _) = try repaired()
        try app.expect(0, "evidence", try run(app, "repair"), "--output", "e.tar.gz")
        return app
    }

    @Test("Whatever is changed in an archive, verify names the member (2)")
    func changed() throws {
        let app = try archived()
        #expect(try told(app, "pass") == "")
        #expect(
            try told(app, "edit('report.json', lambda c: c + b' ')", sealed: false).contains(
                "report.json: has "))
        #expect(
            try told(app, "edit('versions.json', lambda c: c.replace(b'o', b'0'))", sealed: false)
                .contains("versions.json: is not what was written (SHA-256 differs)"))
        #expect(
            try told(app, "members.append(members[-1])", sealed: false).contains(
                "versions.json is not in the manifest"))
        #expect(
            try told(app, "del members[-1]", sealed: false).contains("versions.json: is missing"))
        #expect(
            try told(app, "members.append(('extra', b'x'))").contains("'members' has a name"))
        #expect(try told(app, "types['report.json'] = tarfile.SYMTYPE").contains("no regular file"))
        #expect(try told(app, "types['report.json'] = tarfile.DIRTYPE").contains("no regular file"))
        #expect(
            try told(app, "names['report.json'] = '../../etc/passwd'").contains(
                "../../etc/passwd is not in the manifest"))
    }

    @Test("With hashes made anew, what members say of one another is left (2)")
    func sealed() throws {
        let app = try archived()
        #expect(
            try told(
                app,
                "edit('journal.jsonl', "
                    + "lambda c: c.replace(b'\"outcome\":\"done\"', b'\"outcome\":\"stale\"'))"
            )
            .contains("chain.jsonl: entry 1: its outcome is not what was written"))
        #expect(
            try told(
                app, "edit('chain.jsonl', lambda c: b'\\n'.join(c.split(b'\\n')[:-2]) + b'\\n')"
            )
            .contains("chain.jsonl: the chain does not end with the head"))
        #expect(
            try told(
                app, "edit('report.json', lambda c: c.replace(b'\"done\": 2', b'\"done\": 7'))"
            ).contains("report.json counts 7 steps as done, and it tells of 2"))
        #expect(
            try told(
                app,
                "members[0] = (members[0][0], members[0][1].replace("
                    + "b'\"sound\": true', b'\"sound\": false'))"
            ).contains("it is not said to be sound"))
        #expect(
            try told(app, "edit('chain.jsonl', lambda c: c[:-1])").contains("last line is cut off"))
        #expect(
            try told(app, "edit('report.json', lambda c: b'{')").contains("report.json: byte 1"))
    }

    @Test("Findings that were taken out of an audit's archive are missed")
    func findings() throws {
        let app = try App()
        try app.orphan("s1")
        try app.orphan("s2")
        try app.audit()
        try app.expect(0, "evidence", "latest", "--output", "e.tar.gz")
        let script = """
            import gzip, hashlib, json, tarfile
            archive = tarfile.open('e.tar.gz', 'r:gz')
            members = [(m.name, archive.extractfile(m).read()) for m in archive.getmembers()]
            members = [(n, c.split(b'\\n')[0] + b'\\n' if n.endswith('findings.jsonl') else c)
                for n, c in members]
            manifest = json.loads(members[0][1])
            manifest['members'] = [{'name': n.split('/')[1], 'size': len(c),
                'sha256': hashlib.sha256(c).hexdigest()} for n, c in members[1:]]
            members[0] = (members[0][0], json.dumps(manifest).encode())
            out = gzip.open('changed.tar.gz', 'wb')
            for name, content in members: put(out, name, content)
            out.write(bytes(1024))
            out.close()
            """
        _ = try python(app, Self.writer + "\n" + script)
        let told = try app.expect(2, "evidence", "verify", "changed.tar.gz").errors
        #expect(
            told.contains(
                "findings.jsonl: it does not hold the findings of orphan that report.json counts"))
    }

    @Test("A journal that somebody changed is put into the archive as it is, and told (2)")
    func brokenJournal() throws {
        let (app, _) = try repaired()
        let ledger = try Database(app.path + "/mooring.ledger", mode: nil)
        try ledger.run("DROP TRIGGER journalKeepsOutcomes")
        try ledger.run("UPDATE journal SET reason = x'41' WHERE number = 2")
        let run = try run(app, "repair")
        let told = try app.expect(2, "evidence", run, "--output", "e.tar.gz")
        #expect(told.errors.contains("the journal is broken at"), "\(told.errors)")
        let verified = try app.expect(2, "evidence", "verify", "e.tar.gz").errors
        #expect(
            verified.contains("entry 2: its outcome is not what was written"), "\(verified)")
    }

    @Test("What was erased on request is in no archive written afterwards")
    func erased() throws {
        let (app, key) = try repaired()
        let before = try run(app, "repair")
        try app.audit()
        try app.expect(0, "erase", "--identity", App.identity, "--apply")
        for id in try app.runs().compactMap({ $0["id"].string }) {
            try app.expect(0, "evidence", id, "--output", "\(id).tar.gz", "--quiet")
            try app.expect(0, "evidence", "verify", "\(id).tar.gz")
            #expect(
                Folder.command(["tar", "-xzf", "\(app.path)/\(id).tar.gz", "-C", app.path]) == 0)
            let folder = "mooring-evidence-\(id)"
            for (name, bytes) in app.files(below: folder) {
                let text = String(decoding: bytes, as: UTF8.self)
                let shown = String(decoding: name, as: UTF8.self)
                #expect(!text.contains(key), "\(id) \(shown)")
            }
        }
        #expect(
            try app.expect(0, "evidence", "verify", "\(before).tar.gz").output.contains("sound"))
    }

    @Test("The configuration in it holds no secret and no value of the environment")
    func secrets() throws {
        let app = try App()
        try app.healthy()
        var settings = App.Settings()
        settings.source = "sqlite: ./${DATABASE}.sqlite"
        settings.extra = "identities: {file: ./people.csv}"
        try app.write("people.csv", "sub,identity\nSECRETPERSON,eu-west-1:1\n")
        try app.configure(settings)
        let environment = ["DATABASE": "app", "AWS_SECRET_ACCESS_KEY": "SECRETKEY"]
        let audit = try app.mooring("audit", environment: environment)
        #expect(audit.status == 0, "\(audit.told)")
        let written = try app.mooring(
            "evidence", "latest", "--output", "e.tar.gz", environment: environment)
        #expect(written.status == 0, "\(written.told)")
        #expect(Folder.command(["tar", "-xzf", app.path + "/e.tar.gz", "-C", app.path]) == 0)
        let folder = "mooring-evidence-\(try #require(try app.report()["run"]["id"].string))"
        let shown = try #require(app.read(folder + "/configuration.json"))
        #expect(shown.contains("./${DATABASE}.sqlite"), "\(shown)")
        #expect(shown.contains("\"isThatOfRun\": true"))
        for (_, bytes) in app.files(below: folder) {
            #expect(!String(decoding: bytes, as: UTF8.self).contains("SECRET"))
        }
    }
}
