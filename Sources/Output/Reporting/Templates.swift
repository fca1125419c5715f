/// The templates of `Reports/Templates`, which the build embeds in the program.
enum Templates {
    /// The HTML page; its slots `findings` and `data` are written in pieces.
    static let page = Template(PackageResources.report_html, .html)
    /// The page's style sheet, which has no slots.
    static let style = String(decoding: PackageResources.report_css, as: UTF8.self)
    /// The page's one script, which has no slots.
    static let script = [
        PackageResources.report_data_js, PackageResources.report_search_js,
        PackageResources.report_list_js, PackageResources.report_js,
    ].map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
    /// The page of all runs.
    static let index = Template(PackageResources.index_html, .html)
    /// What stands above the findings of a kind.
    static let section = Template(PackageResources.section_html, .html)
    /// One finding.
    static let finding = Template(PackageResources.finding_html, .html)
    /// `report.txt`; its slot `findings` is written in pieces.
    static let text = Template(PackageResources.report_txt, .text)
}
