/// How Amplify's transformer forms the plural of a model's name: the English rules that it takes
/// from its library, as far as names of models need them, or an `s` in older projects.
enum PluralNames {
    /// The plurals that a project may have of a name, the likeliest first.
    static func of(_ name: String) -> [String] {
        let english = english(name)
        return english == name + "s" ? [english] : [english, name + "s"]
    }

    private static let unchanged = [
        "advice", "aircraft", "bison", "chassis", "cod", "deer", "diabetes", "elk", "equipment",
        "fish", "furniture", "headquarters", "homework", "information", "moose", "music", "news",
        "pants", "rice", "salmon", "series", "sheep", "shrimp", "species", "staff", "traffic",
        "wildlife", "media",
    ]
    private static let irregular = [
        ("person", "people"), ("child", "children"), ("foot", "feet"), ("goose", "geese"),
        ("tooth", "teeth"), ("mouse", "mice"), ("woman", "women"), ("man", "men"), ("ox", "oxen"),
        ("quiz", "quizzes"), ("die", "dice"), ("axis", "axes"), ("criterion", "criteria"),
        ("phenomenon", "phenomena"), ("human", "humans"), ("echo", "echoes"),
        ("hero", "heroes"), ("potato", "potatoes"), ("tomato", "tomatoes"),
        ("torpedo", "torpedoes"), ("veto", "vetoes"), ("alumnus", "alumni"), ("cactus", "cacti"),
        ("focus", "foci"),
        ("fungus", "fungi"), ("nucleus", "nuclei"), ("radius", "radii"), ("stimulus", "stimuli"),
        ("syllabus", "syllabi"), ("bacterium", "bacteria"), ("datum", "data"),
        ("medium", "media"), ("curriculum", "curricula"), ("memorandum", "memoranda"),
        ("stratum", "strata"), ("index", "indices"), ("vertex", "vertices"),
        ("matrix", "matrices"), ("appendix", "appendices"), ("codex", "codices"),
        ("leaf", "leaves"), ("loaf", "loaves"), ("thief", "thieves"), ("sheaf", "sheaves"),
        ("wolf", "wolves"), ("calf", "calves"), ("half", "halves"), ("elf", "elves"),
        ("shelf", "shelves"), ("self", "selves"), ("scarf", "scarves"), ("wharf", "wharves"),
        ("hoof", "hooves"), ("knife", "knives"), ("life", "lives"), ("wife", "wives"),
        ("alias", "aliases"), ("atlas", "atlases"), ("gas", "gases"), ("bus", "buses"),
        ("canvas", "canvases"), ("thesis", "theses"), ("analysis", "analyses"),
        ("basis", "bases"), ("crisis", "crises"), ("diagnosis", "diagnoses"),
        ("hypothesis", "hypotheses"), ("oasis", "oases"), ("synopsis", "synopses"),
    ]
    private static let vowels = Set("aeiou")

    private static func english(_ name: String) -> String {
        let small = name.lowercased()
        // A name in several words ends in the last of them.
        let start = name.lastIndex { $0.isUppercase } ?? name.startIndex
        let word = String(name[start...]).lowercased()
        if unchanged.contains(word) || word.hasSuffix("craft") || word.hasSuffix("people") {
            return name
        }
        if let (single, plural) = irregular.first(where: { $0.0 == word || $0.1 == word }) {
            let isCapital = name[start].isUppercase
            if plural == word { return name }
            guard single == word else { return name }
            let form = isCapital ? plural.prefix(1).uppercased() + plural.dropFirst() : plural
            return name[..<start] + form
        }
        if word.hasSuffix("man"), word.count > 3, word != "talisman", word != "ottoman" {
            return name.dropLast(2) + "en"
        }
        return regular(name, small)
    }

    private static func regular(_ name: String, _ small: String) -> String {
        for ending in ["ss", "sh", "ch", "x", "z", "us"] where small.hasSuffix(ending) {
            return name + "es"
        }
        if small.hasSuffix("sis") { return name.dropLast(2) + "es" }
        if small.hasSuffix("s") { return name }
        if small.hasSuffix("y") {
            let before = small.dropLast().last
            let isVowel = before.map(vowels.contains) ?? true
            return isVowel ? name + "s" : name.dropLast() + "ies"
        }
        return name + "s"
    }
}
