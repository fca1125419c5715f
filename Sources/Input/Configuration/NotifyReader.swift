import MooringModel

/// Reads `notify`: who is told of runs, and how.
struct NotifyReader {
    /// The root of the file.
    let root: Section

    private static let commands = ["audit", "check", "run", "repair", "sweep", "undo", "erase"]

    /// The settings; nobody without them, or after a problem was reported.
    func read() -> NotifySettings {
        var settings = NotifySettings()
        let known = ["commands", "ping", "webhook", "mail"]
        guard let own = root.section("notify", known: known) else { return settings }
        if let texts = own.texts("commands") {
            for text in texts where !Self.commands.contains(text.value) {
                own.reportUnknown("commands", text, among: Self.commands)
            }
            if texts.isEmpty { own.report("'commands' names no command", at: "commands") }
            settings.commands = texts.map(\.value)
        }
        settings.ping = ping(own)
        settings.webhook = webhook(own)
        settings.mail = mail(own)
        if !known.dropFirst().contains(where: own.has) {
            own.reportMissing("ping, webhook or mail", "write one of them, or leave 'notify' out")
        }
        return settings
    }

    private func ping(_ own: Section) -> NotifySettings.Ping? {
        guard own.has("ping") else { return nil }
        guard own.isMap("ping") else {
            guard let base = address("ping", own) else { return nil }
            return .base(base)
        }
        let events = ["start", "success", "failure"]
        guard let each = own.section("ping", known: events) else { return nil }
        if !events.contains(where: each.has) {
            each.reportMissing("start, success or failure", "write at least one address")
        }
        return .each(
            start: address("start", each), success: address("success", each),
            failure: address("failure", each))
    }

    private func webhook(_ own: Section) -> NotifySettings.Webhook? {
        guard let section = own.section("webhook", known: ["url", "secret", "on"]) else {
            return nil
        }
        guard section.has("url") else {
            section.reportMissing("url", "write the receiver's address")
            return nil
        }
        guard let address = address("url", section) else { return nil }
        let secret = section.filled("secret")?.value
        if secret == "whsec_" {
            // As of a variable that is empty: anybody could sign with nothing.
            section.report("'secret' holds nothing behind whsec_", at: "secret")
        }
        return NotifySettings.Webhook(
            address: address, secret: secret,
            occasion: section.choice("on", of: NoticeOccasion.self) ?? .news)
    }

    private func mail(_ own: Section) -> NotifySettings.Mail? {
        guard let section = own.section("mail", known: ["to", "from", "command", "on"]) else {
            return nil
        }
        guard section.has("to") else {
            section.reportMissing("to", "write the address that gets the mail")
            return nil
        }
        let command = section.texts("command")?.map(\.value) ?? NotifySettings.Mail.sendmail
        guard let program = command.first, program.hasPrefix("/"),
            !command.contains(where: { $0.utf8.contains(0) })
        else {
            section.report(
                "'command' needs a list of words, the first of which is the absolute path of a "
                    + "program, such as [/usr/sbin/sendmail, -t, -i]", at: "command")
            return nil
        }
        guard let to = header("to", section) else { return nil }
        return NotifySettings.Mail(
            to: to, from: header("from", section), command: command,
            occasion: section.choice("on", of: NoticeOccasion.self) ?? .news)
    }

    // A line break would begin a header of its own.
    private func header(_ key: String, _ section: Section) -> String? {
        guard let text = section.filled(key) else { return nil }
        guard text.value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            text.value.utf8.count < 900
        else {
            section.report("'\(key)' needs printable ASCII on one line", at: key)
            return nil
        }
        return text.value
    }

    private func address(_ key: String, _ section: Section) -> WebAddress? {
        guard let text = section.filled(key) else { return nil }
        guard let address = WebAddress(text.value) else {
            // What stood there is not repeated: the path of a monitor's address is a secret.
            section.context.report(
                "'\(key)' needs a URL of http or https, without a user and a fragment",
                line: text.line)
            return nil
        }
        return address
    }
}
