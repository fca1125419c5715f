"""Uses a report's page as a reader does, in Chromium: searches, filters, sorts, walks by keys,
opens findings and their addresses, in light and dark, on a phone, on paper, and without the script.

The page is that of BrowserTests: more orphans than fit on a screen, a few dangling references, and
objects whose names would act if a page let them. Prints what is not so, and ends with 1 then.
"""

import pathlib
import shutil
import sys
from urllib.parse import quote

from playwright.sync_api import sync_playwright

PAGE = pathlib.Path(sys.argv[1]).resolve().as_uri()
HOSTILE = "<img src=x onerror=document.title=1>"
failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


class Tab:
    """A page in a context of its own, and all that must not happen there."""

    def __init__(self, browser, address="", width=1280, height=800, script=True, scheme="light"):
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, java_script_enabled=script,
            color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.set_default_timeout(10_000)
        self.page.on("console", lambda message: failures.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: failures.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: failures.append("a dialog opened"))
        self.page.on("request", self.requested)
        self.page.goto(PAGE + address)
        if script:
            self.page.wait_for_selector("html[data-ready]")

    def requested(self, request):
        if request.url.split("#")[0] != PAGE:
            failures.append(f"the page asks for {request.url[:200]}")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.context.close()

    def rows(self, part=".line"):
        """The texts of the rows that are drawn, from the top."""
        return self.page.evaluate(
            """part => [...document.querySelectorAll('.rows .row')]
                .sort((a, b) => a.getAttribute('aria-posinset') - b.getAttribute('aria-posinset'))
                .map(row => row.querySelector(part).textContent)""", part)

    def told(self):
        return self.page.inner_text(".told")

    def focus(self):
        """The place of the row that has the focus, from 1; 0 where none has it."""
        return self.page.evaluate(
            "() => +(document.activeElement.closest('.row')?.getAttribute('aria-posinset') ?? 0)")

    def address(self):
        return self.page.evaluate("() => location.hash")


def searching(browser):
    with Tab(browser) as tab:
        total = tab.page.locator(".row").first.get_attribute("aria-setsize")
        check(int(total) > 100, f"{total} findings are listed")
        check(tab.page.locator(".row").count() < 100, "rows out of sight are in the document")
        tab.page.fill("#search", "Hostile")
        rows = tab.rows(".key")
        check(rows and all("hostile" in row for row in rows), f"search finds {rows}")
        check(f"{len(rows)} of {total} findings" in tab.told(), f"told is {tab.told()}")
        check(tab.address() == "#q=Hostile", f"the address is {tab.address()}")
        check(not tab.page.query_selector("img"), "a key made an element")
        check(any(HOSTILE in row for row in rows), f"the key is not shown: {rows}")
        check(tab.page.title() != "1", "a key ran")
        tab.page.fill("#search", "SONG/S77")
        check([row for row in tab.rows(".record") if "Song/s77" in row], "the letters' case counts")
        tab.page.fill("#search", "dangling missing")
        check(all("dangling" in row for row in tab.rows(".what")), "two words are not both wanted")
        tab.page.fill("#search", "no such thing")
        check(tab.rows() == [] and tab.told().startswith("0 of"), "what is nowhere is found")


def choosing(browser):
    with Tab(browser) as tab:
        chip = tab.page.locator(".chips[aria-label=kind] .chip", has_text="dangling").first
        count = int(chip.locator(".chipcount").inner_text())
        chip.click()
        rows = tab.rows(".what")
        check(len(rows) == count, f"{len(rows)} rows for a chip of {count}")
        check(all(row.startswith("dangling") for row in rows), f"the chip leaves {rows}")
        check(chip.get_attribute("aria-pressed") == "true", "the chip is not pressed")
        check(tab.address() == "#kind=dangling", f"the address is {tab.address()}")
        chip.click()
        check(tab.address() == "", "the chip stays")
        tab.page.select_option("select", "bytes")
        sizes = tab.page.evaluate(
            """() => [...document.querySelectorAll('.rows .row')]
                .sort((a, b) => a.getAttribute('aria-posinset') - b.getAttribute('aria-posinset'))
                .map(row => row.querySelector('.bytes').textContent)""")
        numbers = [int(size.split(" ")[0]) for size in sizes if size.endswith(" B")]
        check(len(numbers) > 10, f"sizes are {sizes}")
        check(numbers == sorted(numbers, reverse=True), f"largest first is {numbers}")
        tab.page.click(".head.key")
        keys = tab.rows(".key")
        check(keys == sorted(keys, key=str.encode), f"by key is {keys}")
        check(tab.address() == "#sort=title", f"the address is {tab.address()}")


def walking(browser):
    with Tab(browser) as tab:
        press = tab.page.keyboard.press
        press("/")
        check(tab.page.evaluate("() => document.activeElement.id") == "search", "/ does not search")
        tab.page.keyboard.type("orphan")
        press("Enter")
        check(tab.focus() == 1, f"Enter leads to row {tab.focus()}")
        press("j")
        press("j")
        press("k")
        check(tab.focus() == 2, f"j, j, k lead to row {tab.focus()}")
        press("Enter")
        tab.page.wait_for_selector(".panel")
        evidence = tab.page.inner_text(".panel .evidence")
        check(len(evidence) > 10, f"the evidence is {evidence}")
        check("mooring explain " in tab.page.inner_text(".panel"), "no command to copy")
        opened = tab.page.locator(".line[aria-expanded=true]")
        check(opened.count() == 1, "the row is not told as open")
        check("f=" in tab.address(), f"the address is {tab.address()}")
        press("Escape")
        check(tab.page.locator(".panel").count() == 0, "Escape does not close")
        check(tab.focus() == 2, "the focus is lost")
        press("PageDown")
        check(tab.focus() > 10, f"PageDown leads to row {tab.focus()}")
        press("End")
        last = int(tab.page.locator(".row").first.get_attribute("aria-setsize"))
        check(tab.focus() == last, f"End leads to row {tab.focus()} of {last}")
        inside = tab.page.evaluate(
            """() => { const box = document.activeElement.getBoundingClientRect();
                return box.top >= 0 && box.bottom <= innerHeight }""")
        check(inside, "the row with the focus is out of sight")
        press("Home")
        check(tab.focus() == 1, f"Home leads to row {tab.focus()}")
        press("/")
        press("Escape")
        check(tab.page.input_value("#search") == "", "Escape does not clear the search")


def addresses(browser):
    with Tab(browser) as tab:
        ids = tab.page.evaluate(
            "() => [...document.querySelectorAll('.rows .row')].map(row => row.dataset.id)")
        wanted = ids[-1]
    with Tab(browser, "#f=" + quote(wanted)) as tab:
        tab.page.wait_for_selector(".panel")
        check(wanted in tab.page.inner_text(".panel"), "#f= opens another finding")
        top = tab.page.evaluate("() => document.querySelector('.panel').getBoundingClientRect().top")
        check(0 <= top < 800, f"the finding of the address is at {top}")
    with Tab(browser, "#q=hostile&f=" + quote(wanted)) as tab:
        tab.page.wait_for_selector(".panel")
        check(wanted in tab.page.inner_text(".panel"), "a filter hides the finding of the address")
    with Tab(browser, "#q=" + quote("hostile <img")) as tab:
        check(tab.page.input_value("#search") == "hostile <img", "#q= is not in the search")
        check(len(tab.rows()) == 1, f"#q= finds {tab.rows()}")
        tab.page.evaluate("() => { location.hash = '#kind=dangling' }")
        tab.page.wait_for_function("() => document.querySelector('#search').value === ''")
        check("dangling" in tab.rows(".what")[0], "an address that changes is not followed")
    with Tab(browser, "#f=orphan-nowhere") as tab:
        check("does not hold the finding" in tab.told(), f"an unknown id is told as {tab.told()}")
    for wrong in ("#q=%ff", "#kind=nothing&sort=x", "#findings", "#q", "#=%"):
        with Tab(browser, wrong) as tab:
            check(tab.page.locator(".row").count() > 0 or "q=" in wrong, f"{wrong} breaks the page")


CONTRAST = """() => {
  const light = part => (part /= 255) <= .03928 ? part / 12.92 : ((part + .055) / 1.055) ** 2.4;
  const sum = ([r, g, b]) => .2126 * light(r) + .7152 * light(g) + .0722 * light(b);
  const colour = text => text.match(/[\\d.]+/g).map(Number);
  const bad = [];
  for (const node of document.querySelectorAll('body *')) {
    const own = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
    if (!own || !node.checkVisibility() || node.closest('svg')) continue;
    let below = node, back;
    do {
      back = colour(getComputedStyle(below).backgroundColor);
      below = below.parentElement;
    } while (below && back.length > 3 && back[3] === 0);
    const style = getComputedStyle(node);
    const [r, g, b] = colour(style.color);
    const alpha = +style.opacity;
    const front = [r, g, b].map((part, place) => alpha * part + (1 - alpha) * back[place]);
    const [high, low] = [sum(front), sum(back)].sort((a, b) => b - a);
    const ratio = (high + .05) / (low + .05);
    if (ratio < 4.5) bad.push(node.className + ' ' + node.textContent.slice(0, 20) + ' ' + ratio);
  }
  return bad.slice(0, 5);
}"""


def looks(browser):
    for scheme in ("light", "dark"):
        with Tab(browser, "#q=orphan", scheme=scheme) as tab:
            tab.page.keyboard.press("j")
            tab.page.keyboard.press("Enter")
            tab.page.wait_for_selector(".panel")
            tab.page.locator(".chip[aria-pressed]").first.click()
            back = tab.page.evaluate("() => getComputedStyle(document.body).backgroundColor")
            check((int(back[4:].split(",")[0]) < 80) == (scheme == "dark"), f"{scheme}: {back}")
            check(tab.page.evaluate(CONTRAST) == [], f"{scheme}: {tab.page.evaluate(CONTRAST)}")
    with Tab(browser, "#q=orphan", width=360, height=740) as tab:
        tab.page.keyboard.press("j")
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_selector(".panel")
        for place in (0, 100_000):
            tab.page.evaluate("place => scrollTo(0, place)", place)
            wide = tab.page.evaluate("() => document.documentElement.scrollWidth")
            check(wide <= 360, f"a phone of 360 px gets a page of {wide} px")


def aloud(browser):
    with Tab(browser) as tab:
        for part in ("header", "nav", "main", "footer", "h1", "[role=search]", "[role=status]",
                     "[role=list]"):
            check(tab.page.locator(part).count() == 1, f"{part} is there not once")
        nameless = tab.page.evaluate(
            """() => [...document.querySelectorAll('a, button, input, select')].filter(node =>
                !(node.textContent.trim() || node.ariaLabel)).length""")
        check(nameless == 0, f"{nameless} controls have no name")
        levels = tab.page.evaluate(
            "() => [...document.querySelectorAll('h1, h2, h3')].map(node => +node.tagName[1])")
        check(all(b - a < 2 for a, b in zip(levels, levels[1:])), f"levels leap: {levels}")


def on_paper(browser):
    with Tab(browser, "#q=hostile") as tab:
        count = len(tab.rows())
        tab.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        tab.page.emulate_media(media="print")
        check(tab.page.locator(".paper .row").count() == count, "paper lacks rows")
        check(tab.page.locator(".paper .row").first.is_visible(), "rows are not seen on paper")
        check(not tab.page.locator(".tools").is_visible(), "paper has controls")
        tab.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        check(tab.page.locator(".paper").count() == 0, "the rows of paper stay")


def bare(browser):
    with Tab(browser, script=False) as tab:
        text = tab.page.locator("body").inner_text()
        for word in ("Records without their file", "Findings by kind and verdict", "hostile"):
            check(word in text, f"without script there is no '{word}'")
        check(tab.page.locator(".finding").count() > 50, "without script findings are not listed")
        first = tab.page.locator(".finding").first
        first.locator("summary").click()
        check(first.locator("dl").is_visible(), "without script a finding does not open")
        check(tab.page.locator(".tools").count() == 0, "without script there are controls")
        check(not tab.page.query_selector("img"), "a key made an element")


def main():
    program = shutil.which("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        for part in (searching, choosing, walking, addresses, looks, aloud, on_paper, bare):
            try:
                part(browser)
            except Exception as error:  # What cannot be done at all is a failure like others.
                failures.append(f"{part.__name__}: {str(error)[:500]}")
        browser.close()
    print("\n".join(failures) or "the page does what it should")
    sys.exit(1 if failures else 0)


main()
