/* What the pages do beyond being read: tables that sort, search and turn pages, a chosen interval drawn as a band, and
   the search over all pages. Text is only ever set as text, so no name can become markup. */
"use strict";

const PAGE_SIZE = 200;

function fold(text) {
  return text.normalize("NFKC").toLocaleLowerCase("en");
}

/** The value a cell sorts by: data-v where it stands, else a number, else its text; null for what is not there. */
function valueOf(row, column) {
  const cell = row.cells[column];
  if (!cell) return null;
  const raw = cell.dataset.v ?? cell.textContent.trim();
  if (raw === "" || raw === "—") return null;
  const number = Number(raw.replace(/,/g, ""));
  return Number.isNaN(number) ? fold(raw) : number;
}

/** Ascending: numbers before texts; nothing is always last, whichever way is up. */
function compare(a, b, sign) {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a !== typeof b) return typeof a === "number" ? -sign : sign;
  if (typeof a === "number") return (a - b) * sign;
  return (a < b ? -1 : a > b ? 1 : 0) * sign;
}

class Board {
  constructor(table) {
    this.table = table;
    this.body = table.tBodies[0];
    this.size = Number(table.dataset.size) || PAGE_SIZE;
    this.rows = Array.from(this.body.rows);
    const waiting = table.dataset.waiting && document.getElementById(table.dataset.waiting);
    if (waiting) {
      this.rows.push(...document.importNode(waiting.content, true).querySelectorAll("tr"));
      waiting.remove();
    }
    this.order = this.rows;
    this.texts = null;
    this.page = 0;
    this.tools = document.querySelector(`[data-tools="${table.id}"]`);
    this.prepareHeads();
    this.prepareTools();
    this.apply();
    this.followFragment();
    addEventListener("hashchange", () => this.followFragment());
  }

  prepareHeads() {
    this.heads = Array.from(this.table.tHead.rows[0].cells);
    this.heads.forEach((head, column) => {
      if ("plain" in head.dataset) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => this.sort(column));
    });
  }

  prepareTools() {
    if (!this.tools) return;
    this.tools.hidden = false;
    this.search = this.tools.querySelector("[data-search]");
    this.filter = this.tools.querySelector("[data-filter]");
    this.count = this.tools.querySelector("[data-count]");
    this.pager = this.tools.querySelector("[data-pager]");
    let timer = 0;
    this.search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.restart(), 80);
    });
    if (this.filter) this.filter.addEventListener("change", () => this.restart());
    for (const button of this.pager.querySelectorAll("button"))
      button.addEventListener("click", () => {
        this.page += Number(button.dataset.step);
        this.apply();
        this.table.parentElement.scrollTop = 0;
      });
  }

  restart() {
    this.page = 0;
    this.apply();
  }

  /** Sorts by a column: numbers first from the top, texts from A; again turns it round, once more restores. */
  sort(column) {
    const head = this.heads[column];
    const first = head.classList.contains("n") && !/^(rank|range|limit|age)/i.test(head.textContent) ? "descending" : "ascending";
    const other = first === "ascending" ? "descending" : "ascending";
    const before = head.getAttribute("aria-sort");
    const next = before === "none" ? first : before === first ? other : "none";
    for (const one of this.heads) if (one.hasAttribute("aria-sort")) one.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", next);
    if (next === "none") this.order = this.rows;
    else {
      const sign = next === "ascending" ? 1 : -1;
      const keyed = this.rows.map((row, place) => [valueOf(row, column), place, row]);
      keyed.sort((a, b) => compare(a[0], b[0], sign) || a[1] - b[1]);
      this.order = keyed.map((entry) => entry[2]);
    }
    this.restart();
  }

  matching() {
    const words = this.search ? fold(this.search.value).split(/\s+/).filter(Boolean) : [];
    const wanted = this.filter ? this.filter.value : "";
    if (!words.length && !wanted) return this.order;
    this.texts ??= new Map(this.rows.map((row) => [row, fold(row.textContent)]));
    return this.order.filter((row) => {
      const text = this.texts.get(row);
      return words.every((word) => text.includes(word)) && (!wanted || this.hasWord(row, wanted));
    });
  }

  hasWord(row, wanted) {
    return Array.from(row.cells).some((cell) => cell.textContent.trim() === wanted);
  }

  apply() {
    const found = this.matching();
    const pages = Math.max(1, Math.ceil(found.length / this.size));
    this.page = Math.min(Math.max(0, this.page), pages - 1);
    const start = this.page * this.size;
    this.body.replaceChildren(...found.slice(start, start + this.size));
    if (!this.tools) return;
    const end = Math.min(start + this.size, found.length);
    const all = found.length === this.rows.length ? "" : ` of ${this.rows.length.toLocaleString("en")}`;
    this.count.textContent =
      pages === 1 ? `${found.length.toLocaleString("en")} rows${all}`
        : `rows ${(start + 1).toLocaleString("en")} to ${end.toLocaleString("en")} of ${found.length.toLocaleString("en")}`;
    const [back, forth] = this.pager.querySelectorAll("button");
    this.pager.hidden = pages === 1;
    back.disabled = this.page === 0;
    forth.disabled = this.page === pages - 1;
  }

  /** Turns to the page that holds the row the address names. */
  followFragment() {
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (!wanted) return;
    const place = this.order.findIndex((row) => row.id === wanted);
    if (place < 0) return;
    if (this.search) this.search.value = "";
    if (this.filter) this.filter.value = "";
    this.page = Math.floor(place / this.size);
    this.apply();
    const row = this.order[place];
    row.scrollIntoView({ block: "center" });
    row.classList.add("target");
  }
}

/** Shades the interval of the row under the pointer or the focus through all rows of its board. */
function shadeOn(board) {
  const usual = [board.style.getPropertyValue("--from"), board.style.getPropertyValue("--to")];
  const choose = (event) => {
    const path = event.target.closest("tr")?.querySelector("td.i path");
    const ends = path && /^M([\d.]+) 5H([\d.]+)$/.exec(path.getAttribute("d"));
    if (!ends) return;
    board.style.setProperty("--from", `${ends[1]}%`);
    board.style.setProperty("--to", `${ends[2]}%`);
  };
  const restore = () => {
    board.style.setProperty("--from", usual[0]);
    board.style.setProperty("--to", usual[1]);
  };
  board.tBodies[0].addEventListener("pointerover", choose);
  board.tBodies[0].addEventListener("focusin", choose);
  board.tBodies[0].addEventListener("pointerleave", restore);
  board.tBodies[0].addEventListener("focusout", restore);
}

class Finder {
  constructor(holder) {
    this.root = document.body.dataset.root;
    this.input = holder.querySelector("input");
    this.list = holder.querySelector("ul");
    this.chosen = -1;
    holder.hidden = false;
    this.input.addEventListener("focus", () => this.load(), { once: true });
    this.input.addEventListener("input", () => this.show());
    this.input.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => this.open(event.target.closest("li")));
    this.input.addEventListener("blur", () => this.close());
  }

  load() {
    const script = document.createElement("script");
    script.src = `${this.root}assets/search-index.js`;
    script.addEventListener("load", () => {
      this.index = window.scoretrailIndex.map(([kind, name, page]) => ({ kind, name, page, text: fold(`${name} ${page}`) }));
      this.show();
    });
    document.head.append(script);
  }

  show() {
    const words = fold(this.input.value).split(/\s+/).filter(Boolean);
    if (!this.index || !words.length) return this.close();
    const found = this.index.filter((item) => words.every((word) => item.text.includes(word))).slice(0, 30);
    this.chosen = found.length ? 0 : -1;
    this.list.replaceChildren(...found.map((item, place) => this.line(item, place)));
    if (!found.length) {
      const none = document.createElement("li");
      none.textContent = "Nothing by that name";
      this.list.append(none);
    }
    this.list.hidden = false;
    this.input.setAttribute("aria-expanded", "true");
    this.mark();
  }

  line(item, place) {
    const line = document.createElement("li");
    line.id = `found-${place}`;
    line.setAttribute("role", "option");
    line.dataset.page = item.page;
    const name = document.createElement("bdi");
    name.textContent = item.name;
    const kind = document.createElement("small");
    kind.textContent = ` ${item.kind}`;
    line.append(name, kind);
    return line;
  }

  mark() {
    Array.from(this.list.children).forEach((line, place) => line.setAttribute("aria-selected", String(place === this.chosen)));
    const line = this.list.children[this.chosen];
    if (line) line.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", this.chosen < 0 ? "" : `found-${this.chosen}`);
  }

  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !this.list.hidden && this.chosen >= 0) {
      event.preventDefault();
      const length = this.list.children.length;
      this.chosen = (this.chosen + step + length) % length;
      this.mark();
    } else if (event.key === "Enter") this.open(this.list.children[this.chosen]);
    else if (event.key === "Escape") this.close();
  }

  open(line) {
    if (line && line.dataset.page) location.href = this.root + line.dataset.page;
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}

for (const table of document.querySelectorAll("table[data-table]")) new Board(table);
for (const board of document.querySelectorAll("table.board")) shadeOn(board);
for (const holder of document.querySelectorAll(".find")) new Finder(holder);
document.documentElement.dataset.ready = "yes";
