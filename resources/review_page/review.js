/* The review page: one pair at a time, decided by keys. Text is only ever set as text, so no name can become markup. */
"use strict";

const by = (id) => document.getElementById(id);
const words = (text) => text.replaceAll("_", " ");
let review = null;
let place = 0;
const done = new Set();

function pair() {
  return review.pairs[place];
}

function choices() {
  const holder = by("choices");
  review.decisions.forEach((decision, number) => {
    const label = document.createElement("label");
    const radio = document.createElement("input");
    radio.type = "radio";
    radio.name = "decision";
    radio.value = decision;
    radio.addEventListener("change", () => suggestReason());
    const key = document.createElement("kbd");
    key.textContent = String(number + 1);
    label.append(radio, " ", key, ` ${words(decision)}`);
    holder.append(label);
  });
}

function chosen() {
  return document.querySelector("input[name=decision]:checked");
}

/** The suggestion's reason stands in the field where its decision was chosen and nothing was written. */
function suggestReason() {
  const reason = by("reason");
  const { decision, reason: text } = pair().suggestion;
  if (reason.value === "" || reason.dataset.offered === reason.value) {
    reason.value = chosen().value === decision ? text : "";
    reason.dataset.offered = reason.value;
  }
}

function say(text, kind) {
  by("message").textContent = text;
  by("message").className = kind;
}

function line(name, a, b, state) {
  const row = document.createElement("tr");
  const head = document.createElement("th");
  head.scope = "row";
  head.textContent = words(name);
  row.append(head);
  for (const value of [a, b]) {
    const cell = document.createElement("td");
    const text = document.createElement("bdi");
    text.textContent = value === null || value === undefined ? "—" : String(value);
    cell.append(text);
    row.append(cell);
  }
  const note = document.createElement("td");
  note.textContent = state ? words(state) : "";
  row.append(note);
  row.className = a === b ? "same" : "differs";
  return row;
}

function show() {
  const left = review.pairs.length;
  by("form").hidden = by("about").hidden = left === 0;
  by("progress").max = Math.max(1, left);
  by("progress").value = done.size;
  if (!left) {
    by("title").textContent = `No pair awaits a decision (${review.total} in all)`;
    by("place").textContent = "";
    return;
  }
  const now = pair();
  by("title").textContent = `${now.benchmark}: ${now.a.model} and ${now.b.model}`;
  by("place").textContent = `pair ${place + 1} of ${left}, ${done.size} decided in this sitting`;
  by("suggested").textContent = words(now.suggestion.decision);
  by("why").textContent = now.suggestion.reason;
  by("history").textContent =
    now.history.map((row) => `${row.reviewer}: ${words(row.decision)} (${row.state}, ${row.reviewed_at}) ${row.reason}`).join("; ") || "nothing yet";
  by("rules").textContent = now.rules.map(words).join(", ");
  by("seen").textContent = now.first_seen || "this review";
  by("supports").textContent = now.supports;
  by("unsupported").textContent = now.does_not_support;
  by("record").textContent =
    now.to_record === null ? "nothing would mend it: the rows contradict each other" : now.to_record.map(words).join(", ") || "nothing, it can be aligned";
  const states = new Map(now.fields.map((field) => [field.field, field.status]));
  const body = by("sides").tBodies[0];
  body.replaceChildren(
    ...Object.keys(now.a).map((name) => line(name, now.a[name], now.b[name], states.get(name.replace(/^protocol_/, "")))),
  );
  const mine = now.history.filter((row) => row.reviewer === review.reviewer).pop();
  for (const radio of document.querySelectorAll("input[name=decision]")) radio.checked = Boolean(mine) && radio.value === mine.decision;
  by("reason").value = mine ? mine.reason : "";
  by("reason").dataset.offered = "";
}

function go(step) {
  if (!review.pairs.length) return;
  place = (place + step + review.pairs.length) % review.pairs.length;
  say("", "");
  show();
}

function choose(number) {
  const radio = document.querySelectorAll("input[name=decision]")[number];
  if (!radio) return;
  radio.checked = true;
  suggestReason();
  by("reason").focus();
}

async function save() {
  const decision = chosen();
  if (!decision) return say("Choose a decision first: 1 to 6", "bad");
  if (!by("reason").value.trim()) return say("A decision states its reason", "bad");
  by("save").disabled = true;
  try {
    const answer = await fetch("decide", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Scoretrail-Review": "1" },
      body: JSON.stringify({ pair_id: pair().pair_id, decision: decision.value, reason: by("reason").value }),
    });
    const given = await answer.json();
    if (!answer.ok) return say(`Not taken: ${given.error}`, "bad");
    review.pairs[place] = given;
    done.add(given.pair_id);
    by("reason").blur();
    const disputed = given.history.some((row) => row.state === "disputed");
    const next = review.pairs.findIndex((one, at) => at > place && !done.has(one.pair_id));
    place = next >= 0 ? next : Math.max(0, review.pairs.findIndex((one) => !done.has(one.pair_id)));
    show();
    say(done.size === review.pairs.length ? "Saved; all pairs of this review are decided" : disputed ? "Saved; another reviewer decided otherwise: the pair stays disputed" : "Saved", "good");
  } catch {
    say("Not saved: the command that serves this page has ended", "bad");
  } finally {
    by("save").disabled = false;
  }
}

function key(event) {
  if (!review || event.ctrlKey || event.metaKey || event.altKey) return;
  const writing = event.target === by("reason");
  if (event.key === "Escape") by("reason").blur();
  else if (writing) return;
  else if (event.key === "j") go(1);
  else if (event.key === "k") go(-1);
  else if (event.key === "r") by("reason").focus();
  else if (event.key === "Enter" && event.target.tagName !== "BUTTON") save();
  else if (/^[1-6]$/.test(event.key)) choose(Number(event.key) - 1);
  else return;
  event.preventDefault();
}

async function start() {
  const answer = await fetch("pairs.json");
  review = await answer.json();
  by("label").textContent = review.label;
  by("reviewer").textContent = review.reviewer;
  choices();
  show();
  by("back").addEventListener("click", () => go(-1));
  by("forth").addEventListener("click", () => go(1));
  by("form").addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  addEventListener("keydown", key);
  document.documentElement.dataset.ready = "yes";
}

start().catch(() => say("The pairs could not be read: the command that serves this page has ended", "bad"));
