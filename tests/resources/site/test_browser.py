"""Pages in a real browser, from a folder and from the server: they open, sort, search, and nothing breaks out."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from chromium import Tab

from resources.site.server import SiteServer, files_of

KINDS = (
    "index.html", "models.html", "metrics.html", "sources.html", "exclusions.html", "gates.html", "changes.html",
    "downloads.html", "dictionary.html", "reading.html", "cite.html", "boards/math.html", "models/model-0000.html",
    "models/model-0007.html", "metrics/math.basic.0.html", "sources/board-math.html",
    "exclusions/value_unparseable.html",
)  # fmt: skip


@pytest.fixture(scope="module")
def served(hostile_folder: Path) -> Iterator[str]:
    """The address of the hostile site's server, without its page."""
    with SiteServer(files_of(hostile_folder), 0) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield server.address.removesuffix("index.html")
        server.shutdown()
        thread.join(5)


@pytest.mark.parametrize("width", [1280, 390])
def test_every_kind_of_page_opens_from_a_folder(tab: Tab, hostile_folder: Path, width: int) -> None:
    """No error, no request but for files beside it, nothing run by a name, no scrolling of the page sideways."""
    tab.look(width, 900, "dark" if width == 390 else "light")
    for kind in KINDS:
        tab.open((hostile_folder / kind).as_uri())
        assert tab.errors == [], kind
        assert tab.run("window.broken === undefined && document.querySelector('main img, main script') === null"), kind
        assert all(request.startswith(("file://", "data:", "about:")) for request in tab.requests), tab.requests
        wide = tab.run("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{kind} is {wide} px too wide for {width}"


def test_every_kind_of_page_opens_from_the_server(tab: Tab, served: str) -> None:
    for kind in KINDS:
        tab.open(served + kind)
        assert tab.errors == [], kind
        assert all(request.startswith((served, "data:", "about:")) for request in tab.requests), tab.requests
    assert tab.run("document.querySelector('a.out') === null || document.querySelector('a.out').rel.includes('noref')")


def rows(tab: Tab, column: int, table: str = "board") -> list[str]:
    found = tab.run(f"Array.from(document.querySelectorAll('#{table} tbody tr'), r => r.cells[{column}].textContent)")
    assert isinstance(found, list)
    return [str(cell) for cell in found]


def test_a_board_sorts_by_mouse_and_by_keyboard(tab: Tab, large_folder: Path) -> None:
    tab.look(1280, 900, "light")
    tab.open((large_folder / "boards/coding.html").as_uri())
    before = rows(tab, 2)
    assert len(before) == 200
    tab.run("document.querySelectorAll('#board thead button')[2].click()")
    names = rows(tab, 2)
    assert names == sorted(names)
    assert tab.run("document.querySelectorAll('#board thead th')[2].getAttribute('aria-sort')") == "ascending"
    tab.run("document.querySelectorAll('#board thead button')[3].focus()")
    tab.key("Enter", 13)
    scores = [float(cell) for cell in rows(tab, 3) if cell != "—"]
    assert scores == sorted(scores, reverse=True)
    assert tab.run("document.querySelectorAll('#board thead th')[3].getAttribute('aria-sort')") == "descending"
    assert tab.run("document.querySelectorAll('[aria-sort=ascending], [aria-sort=descending]').length") == 1
    tab.key("Space", 32)
    assert next(float(cell) for cell in rows(tab, 3) if cell != "—") < scores[0]
    tab.key("Enter", 13)
    assert rows(tab, 2) == before
    assert tab.errors == []


def test_what_is_not_there_sorts_last_both_ways(tab: Tab, large_folder: Path) -> None:
    tab.open((large_folder / "boards/coding.html").as_uri())
    for _ in range(2):
        tab.run("document.querySelectorAll('#board thead button')[0].click()")
        shown = rows(tab, 0)
        assert shown[0] != "—"
        assert "—" not in shown[: sum(cell != "—" for cell in shown)]


def test_search_and_filter_reach_rows_beyond_the_first_page(tab: Tab, large_folder: Path) -> None:
    tab.open((large_folder / "boards/coding.html").as_uri())
    search = "(() => {{ const i = document.querySelector('[data-search]'); i.value = {0!r}; {1} }})()"
    fire = "i.dispatchEvent(new Event('input'))"
    assert not tab.run("document.querySelector('[data-pager]').hidden")
    tab.run(search.format("MODEL 0123", fire))
    tab.wait("document.querySelectorAll('#board tbody tr').length < 3")
    assert rows(tab, 2) == ["Model 0123"]
    tab.run(search.format("", fire))
    tab.wait("document.querySelectorAll('#board tbody tr').length === 200")
    tab.run("(() => { const s = document.querySelector('[data-filter]'); s.value = 'estimated';"
            " s.dispatchEvent(new Event('change')) })()")  # fmt: skip
    assert {cell.strip() for cell in rows(tab, 6)} == {"estimated"}
    tab.run(search.format("nothing like this", fire))
    tab.wait("document.querySelectorAll('#board tbody tr').length === 0")
    assert "0 rows of" in tab.run("document.querySelector('[data-count]').textContent")
    assert tab.errors == []


def test_pages_of_a_table_turn(tab: Tab, large_folder: Path) -> None:
    tab.open((large_folder / "boards/math.html").as_uri())
    first = rows(tab, 2)
    tab.run("document.querySelectorAll('[data-pager] button')[1].click()")
    assert not set(rows(tab, 2)) & set(first)
    assert "rows 201 to 400" in tab.run("document.querySelector('[data-count]').textContent")


def test_the_band_follows_pointer_and_focus(tab: Tab, large_folder: Path) -> None:
    tab.open((large_folder / "boards/coding.html").as_uri())
    read = "document.querySelector('#board').style.getPropertyValue('--from')"
    leader = tab.run(read)
    tab.run("document.querySelectorAll('#board tbody tr')[30].querySelector('a').focus()")
    assert tab.run(read) != leader
    tab.run("document.activeElement.blur()")
    assert tab.run(read) == leader


def test_an_address_with_an_entry_opens_at_its_row(tab: Tab, large_folder: Path) -> None:
    """Also where the row is not on the table's first page."""
    tab.open((large_folder / "sources/board-coding.html").as_uri())
    last = tab.run("(() => { const all = document.querySelectorAll('[data-pager] button')[1]; all.click();"
                   " return document.querySelector('#rows tbody tr:last-child').id })()")  # fmt: skip
    assert str(last).startswith("e-")
    tab.open((large_folder / "sources/board-coding.html").as_uri() + f"#{last}")
    box = tab.run(f"document.getElementById('{last}').getBoundingClientRect().top")
    assert 0 < box < 900


@pytest.mark.parametrize("width", [1300, 400])
def test_no_heading_covers_the_row_that_an_address_names(tab: Tab, large_folder: Path, width: int) -> None:
    """The headings of a long table stand fast at its top; the row stands below them, with and without script."""
    tab.look(width, 700, "light")
    page = (large_folder / "sources/board-coding.html").as_uri()
    tab.open(page)
    ids = [tab.run(f"document.querySelectorAll('#rows tbody tr')[{place}].id") for place in (1, 60, 120)]
    covered = """(() => { const row = document.querySelector('tr:target').getBoundingClientRect();
        const head = document.querySelector('#rows thead th').getBoundingClientRect();
        return row.top < head.bottom - 1 || row.bottom > innerHeight; })()"""
    for scripted in (True, False):
        tab.call("Emulation.setScriptExecutionDisabled", value=not scripted)
        try:
            for one in ids:
                tab.call("Page.navigate", url="about:blank")
                tab.call("Page.navigate", url=f"{page}#{one}")
                tab.wait("document.readyState === 'complete' && document.querySelector('tr:target') !== null")
                assert not tab.run(covered), (one, width, scripted)
        finally:
            tab.call("Emulation.setScriptExecutionDisabled", value=False)


OUT_OF_SIGHT = """Array.from(document.querySelectorAll('.scroll thead th'))
    .filter(h => h.getBoundingClientRect().right > h.closest('.scroll').getBoundingClientRect().right + 1)
    .map(h => h.textContent)"""


def test_what_is_asked_first_is_seen_without_scrolling(tab: Tab, large_folder: Path) -> None:
    """A laptop's window holds a board whole, and of the gates all but where they are kept; a telephone each gate."""
    tab.look(1300, 900, "light")
    tab.open((large_folder / "boards/coding.html").as_uri())
    assert tab.run(OUT_OF_SIGHT) == []
    tab.open((large_folder / "gates.html").as_uri())
    assert set(tab.run(OUT_OF_SIGHT)) <= {"Product", "Table", "Severity", "Decided", "Verdict key"}
    tab.look(400, 900, "light")
    tab.open((large_folder / "gates.html").as_uri())
    assert (
        tab.run("(() => { const s = document.querySelector('.scroll'); return s.scrollWidth - s.clientWidth })()") <= 0
    )
    assert tab.run("getComputedStyle(document.querySelector('#gates [data-l]'), '::before').content").startswith(
        '"Figure'
    )


def test_what_scrolls_sideways_shows_that_it_does(tab: Tab, large_folder: Path) -> None:
    """Pixels at the right edge: darker while more lies beyond it, plain at the end; tables, figures, navigation."""
    tab.look(1300, 900, "light")
    tab.open((large_folder / "index.html").as_uri())
    assert tab.run("getComputedStyle(document.querySelector('.top nav ul')).backgroundImage") == "none"
    tab.look(400, 900, "light")
    for page, inside in (("models.html", ".scroll"), ("boards/coding.html", "figure"), ("index.html", ".top nav ul")):
        tab.open((large_folder / page).as_uri())
        tab.run(f"document.querySelector({inside!r}).scrollIntoView()")
        assert tab.run(
            f"(() => {{ const s = document.querySelector({inside!r}); return s.scrollWidth > s.clientWidth }})()"
        )
        before = edge(tab, inside)
        tab.run(f"document.querySelector({inside!r}).scrollLeft = 100000")
        assert before < edge(tab, inside) - 20, page


def edge(tab: Tab, inside: str) -> float:
    """How light the last pixels at the right edge are on average, 0 to 255."""
    box = tab.run(f"(() => {{ const b = document.querySelector({inside!r}).getBoundingClientRect();"
                  " return [b.right + scrollX - 4, b.top + scrollY + 3, b.height] })()")  # fmt: skip
    clip = {"x": box[0], "y": box[1], "width": 2, "height": min(box[2] - 6, 300), "scale": 1}
    picture = tab.call("Page.captureScreenshot", format="png", clip=clip)["data"]
    drawn = f"""(async () => {{ const i = new Image(); i.src = 'data:image/png;base64,{picture}'; await i.decode();
        const c = document.createElement('canvas'); c.width = i.width; c.height = i.height;
        const g = c.getContext('2d'); g.drawImage(i, 0, 0);
        const d = g.getImageData(0, 0, i.width, i.height).data;
        let s = 0; for (let k = 0; k < d.length; k += 4) s += d[k]; return s / (d.length / 4); }})()"""
    return float(tab.run(drawn))


def test_the_search_over_all_pages_by_keyboard(tab: Tab, hostile_folder: Path) -> None:
    tab.open((hostile_folder / "boards/math.html").as_uri())
    tab.run("document.querySelector('#find').focus()")
    tab.wait("window.scoretrailIndex !== undefined")
    tab.call("Input.insertText", text="model 5")
    tab.wait("document.querySelectorAll('#found li').length > 0")
    assert tab.run("document.querySelector('#found script, #found img') === null")
    assert tab.run("document.querySelector('#find').getAttribute('aria-expanded')") == "true"
    tab.key("Escape", 27)
    assert tab.run("document.querySelector('#found').hidden")
    tab.run("document.querySelector('#find').value = ''")
    tab.call("Input.insertText", text="MODEL 5")
    tab.wait("!document.querySelector('#found').hidden")
    tab.key("ArrowDown", 40)
    tab.key("ArrowUp", 38)
    tab.key("Enter", 13)
    tab.wait("document.readyState === 'complete' && location.pathname.includes('/models/')")
    assert tab.errors == []


def test_a_page_reads_without_javascript(tab: Tab, large_folder: Path) -> None:
    tab.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        tab.call("Page.navigate", url=(large_folder / "boards/coding.html").as_uri())
        end = time.monotonic() + 20
        while tab.run("document.readyState + ' ' + location.pathname.split('/').pop()") != "complete coding.html":
            assert time.monotonic() < end
            time.sleep(0.02)
        assert tab.run("document.querySelectorAll('#board tbody tr').length") == 200
        assert tab.run("document.querySelector('.tools').offsetHeight") == 0
    finally:
        tab.call("Emulation.setScriptExecutionDisabled", value=False)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_enough_in_light_and_dark(tab: Tab, hostile_folder: Path, scheme: str) -> None:
    """WCAG AA: 4.5 to 1 for text of every colour that the pages use, 3 to 1 for drawn bars, on page and sheet."""
    tab.look(1280, 900, scheme)
    tab.open((hostile_folder / "boards/math.html").as_uri())
    probe = ("(n => { const e = document.createElement('i'); e.style.color = `var(--${n})`; document.body.append(e);"
             " const c = getComputedStyle(e).color; e.remove(); return c })")  # fmt: skip
    colour = {name: luminance(str(tab.run(f"{probe}({name!r})"))) for name in (
        "page", "sheet", "hover", "ink", "quiet", "accent", "second", "good", "bad", "warn", "own", "less", "third",
    )}  # fmt: skip
    for name, least in [(n, 4.5) for n in ("ink", "quiet", "accent", "second", "bad", "warn")] + [
        (n, 3.0) for n in ("own", "less", "good", "third")
    ]:
        for ground in ("page", "sheet", "hover"):
            high, low = sorted((colour[name], colour[ground]), reverse=True)
            assert (high + 0.05) / (low + 0.05) >= least, f"{name} on {ground} in {scheme}"
