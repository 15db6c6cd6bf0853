"""`scoretrail site`: shows the site of a release on this machine, or writes it into a folder."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipelines import console, options
from pipelines.options import HomeOption, JsonOption, ReleasedCatalogOption, ReleaseOption, UsageError
from warehouse.exit_codes import ExitCode

if TYPE_CHECKING:
    from resources.manifest import Release


def site(
    *,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write the site into this folder: new, empty, or a former site.")
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; any free one where none is named.")
    ] = 0,
    browse: Annotated[bool, typer.Option("--browse", help="Open it in the browser of this machine.")] = False,
    release: ReleaseOption = None,
    home: HomeOption = None,
    catalog: ReleasedCatalogOption = None,
    as_json: JsonOption = False,
) -> ExitCode:
    """The site of a release: boards, every score taken apart, sources, exclusions, gates, data. Ctrl-C ends it.

    Served on 127.0.0.1 alone, read only, under an address with a token. `--out` writes it instead, as a folder that
    opens in any browser without a server or a network.
    """
    from pipelines.release_reader import ReleaseReader

    reader = ReleaseReader(options.open_settings(home, catalog).home, release)
    found = reader.release
    if out is not None:
        return _write(found, out, as_json, reader.withdrawn)
    with tempfile.TemporaryDirectory(prefix="scoretrail-site-") as spare:
        folder = _folder(found, Path(spare), reader.withdrawn)
        return _serve(found.release_id, folder, port, browse, as_json)


def _write(release: Release, out: Path, as_json: bool, withdrawn: str | None) -> ExitCode:
    from resources.site.kept import release_site
    from resources.site.withdrawn import marked
    from resources.site.writing import write_site

    written = write_site(out, marked(release_site(release), withdrawn))
    page = out / "index.html"
    if as_json:
        console.print_json({"release_id": release.release_id, "files": written, "page": str(page)})
    else:
        console.stdout().print(
            f"Wrote the site of {release.release_id} ({written:,} files): open {page}", soft_wrap=True, markup=False
        )
    return ExitCode.OK


def _folder(release: Release, spare: Path, withdrawn: str | None) -> Path:
    """Where the site lies: in the release, or made aside for one that has none, or whose pages have to be marked."""
    from resources.site.kept import kept_site, release_site
    from resources.site.withdrawn import marked
    from resources.site.writing import write_site

    kept = kept_site(release)
    if kept is not None and withdrawn is None:
        return kept
    if kept is None:
        console.progress_line(f"{release.release_id} was made without a site; making it")
    write_site(spare / "site", marked(release_site(release), withdrawn))
    return spare / "site"


def _serve(release_id: str, folder: Path, port: int, browse: bool, as_json: bool) -> ExitCode:
    from resources.site.server import SiteServer, files_of

    files = files_of(folder)
    try:
        made = SiteServer(files, port)
    except OSError as error:
        raise UsageError(f"port {port} cannot be used ({error.strerror}); name another, or none for any") from error
    with made as server:
        if as_json:
            console.print_json({"release_id": release_id, "address": server.address})
        else:
            console.stdout().print(f"Site of {release_id}: {server.address}", soft_wrap=True, markup=False)
        sys.stdout.flush()
        console.progress_line("only this machine can reach it; Ctrl-C ends it")
        if browse:
            webbrowser.open(server.address)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            console.progress_line("ended")
    return ExitCode.OK
