"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  // An error must never look like a report without mutants.
  const failed = (what) => {
    byId("failure").hidden = false;
    byId("failure-reason").textContent = String(what);
  };
  addEventListener("error", (event) => failed(event.message));
  addEventListener("unhandledrejection", (event) => failed(event.reason));
  const rows = JSON.parse(byId("data").textContent);
  const { findings, tiers } = JSON.parse(byId("labels").textContent);
  const CHUNK = 60; // rows drawn at a time: a page of thousands must not freeze
  const CONTEXT = 3;

  /* Text only ever enters the page as text nodes. */
  const make = (tag, className, ...children) => {
    const node = document.createElement(tag);
    if (className) node.className = className;
    node.append(...children.filter((child) => child !== null && child !== undefined));
    return node;
  };

  // ---------------------------------------------------------------- data
  // A tool may leave out anything: what is not in a row is empty.
  const BLANK = { finding: "cannot-tell", tier: "unknown", evidence: "", file: "", operator: "", status: "",
    description: "", reason: "", start: 1, first: 0 };
  const code = [];
  rows.forEach((row, index) => {
    for (const name in BLANK) row[name] ??= BLANK[name];
    row.rank ??= [0, 0.5, index];
    if (row.before || row.after) { row.before ??= []; row.after ??= []; }
    if (row.text !== undefined) code[row.code] = row.text.split("\n");
    const slash = row.file.lastIndexOf("/") + 1;
    row.folder = row.file.slice(0, slash);
    row.name = row.file.slice(slash) + (row.line === undefined ? "" : ":" + row.line);
    row.short = row.operator.slice(row.operator.lastIndexOf(".") + 1) || row.operator;
  });
  const haystack = (row) => {
    row.hay ??= [
      row.file + ":" + row.line, row.function, row.operator, row.reason, row.key, row.description, row.id,
      row.status, findings[row.finding], row.nearest && row.nearest.change,
      ...(row.before || []).map((line) => line.join("")), ...(row.after || []).map((line) => line.join("")),
    ].join("\n").toLowerCase();
    return row.hay;
  };
  const byRank = (a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1] || a.rank[2] - b.rank[2];
  const byPlace = (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0)
    || (a.line ?? 0) - (b.line ?? 0) || a.rank[2] - b.rank[2];

  // ---------------------------------------------------------------- colours for code, line by line
  const WORDS = new Set(("abstract assert async auto await bool boolean break byte case catch char class const " +
    "continue def default del do double elif else enum except extends extern false False final finally float fn for " +
    "from func function global goto if implements import in instanceof int interface is lambda let long match mut " +
    "native new nil None not null or and package pass private protected pub public raise register return self short " +
    "signed sizeof static struct super switch synchronized this throw throws true True try typedef union unsigned " +
    "use var void volatile while with yield").split(" "));
  const TOKEN = /(\/\/.*|#.*|\/\*.*?(?:\*\/|$)|^\s*\*.*)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(\b\d[\w.]*)|([A-Za-z_]\w*)/g;
  const kinds = (text, file) => {
    const found = new Array(text.length).fill("");
    const hash = /\.(py|rb|sh)$/.test(file);
    TOKEN.lastIndex = 0;
    for (let match; (match = TOKEN.exec(text));) {
      if (match[1] && match[1][0] === "#" && !hash) { TOKEN.lastIndex = match.index + 1; continue; }
      if (match[1] && match[1][0] === "/" && match[1][1] === "/" && hash) { TOKEN.lastIndex = match.index + 2; continue; }
      const kind = match[1] ? "t-c" : match[2] ? "t-s" : match[3] ? "t-n" : WORDS.has(match[4]) ? "t-k" : "";
      if (kind) found.fill(kind, match.index, match.index + match[0].length);
    }
    return found;
  };
  /* `parts` are [tag, text]: tag "" for what stays, "del" and "ins" for the edit. */
  const coloured = (parts, file) => {
    const text = parts.map(([, part]) => part).join("");
    const kind = text.length > 2000 ? new Array(text.length).fill("") : kinds(text, file);
    const fragment = document.createDocumentFragment();
    let at = 0;
    for (const [tag, part] of parts) {
      const target = tag ? make(tag) : fragment;
      for (let end = at + part.length, start = at; at < end; start = at) {
        while (at < end && kind[at] === kind[start]) at++;
        const piece = text.slice(start, at);
        target.append(kind[start] ? make("span", kind[start], piece) : piece);
      }
      if (tag) fragment.append(target);
    }
    return fragment;
  };

  // ---------------------------------------------------------------- one mutant
  const inline = (row) => {
    const line = make("code", "inline");
    const tags = { "=": "", "-": "del", "+": "ins" };
    if (row.inline && row.inline.length) {
      const parts = row.inline.map(([kind, text], at) =>
        [tags[kind], at === 0 && kind === "=" && text.length > 48 ? "…" + text.slice(-46) : text.slice(0, 300)]);
      line.append(coloured(parts, row.file));
      for (const gone of line.querySelectorAll("del")) {
        if (gone.nextSibling && gone.nextSibling.nodeName === "INS") gone.after(make("span", "arrow", "→"));
      }
      if (!line.querySelector("ins")) line.append(make("span", "arrow", "removed"));
    } else {
      line.classList.add("plain");
      line.append(row.description || row.reason || row.short || row.id || "change not known");
    }
    return line;
  };

  const meter = (row) => {
    if (row.p === undefined) return make("span", "meter word", row.tier === "unknown" ? "no verdict" : tiers[row.tier]);
    const fill = make("i");
    fill.style.width = (100 * row.p).toFixed(1) + "%";
    const shown = row.p > 0.99 ? "> 99 %" : row.p < 0.01 ? "< 1 %" : Math.round(100 * row.p) + " %";
    const box = make("span", "meter", make("b", "", shown), make("span", "track", fill), make("small", "", "equivalent"));
    box.title = "Probability of being equivalent";
    return box;
  };

  const header = (row) => {
    const meta = make("span", "meta", make("b", "", row.name));
    const also = (className, text) => { if (text) meta.append(" ", make("span", className, text)); };
    also("fn", row.function);
    also("op", row.short);
    also("status", row.status === "survived" ? "" : row.status);
    if (row.finding === "cannot-tell" && row.inline) also("why", row.reason);
    else also("folder", row.folder);
    const label = make("span", "badge c-" + row.finding, make("i"), findings[row.finding]);
    if (row.counts) label.append(make("small", "", "counted"));
    const button = make("button", "head", label, make("span", "what", inline(row), meta), meter(row));
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    return button;
  };

  const cell = (kind, number, parts, row) => {
    const sign = kind === "old" ? "−" : kind === "new" ? "+" : "";
    const text = make("code", "", coloured(parts, row.file));
    const said = kind === "old" ? "removed " : kind === "new" ? "added " : "";
    return make("div", "cell " + kind, make("span", "no", number === null ? "" : String(number)),
      make("span", "sign", sign), said ? make("span", "hidden", said) : null, text);
  };

  const marked = (line, tag) => line.map((piece, at) => [at % 2 ? tag : "", piece]);

  const diff = (row, whole) => {
    const lines = code[row.code] || [];
    const end = row.first + row.before.length;
    const from = whole ? 0 : Math.max(row.first - CONTEXT, 0);
    const to = whole ? lines.length : Math.min(end + CONTEXT, lines.length);
    const shift = row.after.length - row.before.length;
    const left = make("div", "side", make("p", "side-title", "original"));
    const right = make("div", "side", make("p", "side-title", "mutant"));
    const same = (at) => {
      left.append(cell("same", row.start + at, [["", lines[at] ?? ""]], row));
      const twin = cell("same twin", row.start + at + (at < row.first ? 0 : shift), [["", lines[at] ?? ""]], row);
      right.append(twin);
    };
    for (let at = from; at < row.first; at++) same(at);
    const height = Math.max(row.before.length, row.after.length);
    for (let at = 0; at < height; at++) {
      const place = row.start + row.first + at;
      left.append(at < row.before.length ? cell("old", place, marked(row.before[at], "del"), row) : make("div", "cell void"));
      right.append(at < row.after.length ? cell("new", place, marked(row.after[at], "ins"), row) : make("div", "cell void"));
    }
    for (let at = end; at < to; at++) same(at);
    const box = make("div", "diff");
    // Rows of both sides share their height, so the two are laid out as one grid.
    const rowsOf = [[...left.children], [...right.children]];
    rowsOf[0].forEach((node, at) => {
      const other = rowsOf[1][at];
      const part = node.classList.contains("side-title") ? 0
        : at - 1 < row.first - from ? 1 : at - 1 < row.first - from + height ? 2 : 4;
      node.classList.add("left", "part-" + part); // on a phone, where the two sides are one column
      other.classList.add("right", "part-" + (part === 2 ? 3 : part));
      box.append(node, other);
    });
    return box;
  };

  const copy = async (text, what, told = text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", "hidden", text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    const toast = byId("toast");
    toast.textContent = what + " copied: " + told;
    toast.classList.add("on");
    clearTimeout(toast.timer);
    toast.timer = setTimeout(() => toast.classList.remove("on"), 2200);
  };
  const nameOf = (test) => test.match(/(?:def|void) (\w+)\(/)?.[1] ?? "";
  const copyTest = (row) => copy(row.test, "Test", nameOf(row.test));
  const button = (className, text, action) => {
    const node = make("button", className, text);
    node.type = "button";
    node.addEventListener("click", action);
    return node;
  };

  const body = (row) => {
    const box = make("div", "body");
    if (row.before) {
      const holder = make("div", "holder", diff(row, false));
      box.append(holder);
      const hidden = (code[row.code] || []).length > row.before.length + 2 * CONTEXT
        || row.first > CONTEXT || (code[row.code] || []).length - row.first - row.before.length > CONTEXT;
      if (hidden) {
        row.toggle = button("quiet", "Show the whole function", () => {
          row.whole = !row.whole;
          holder.replaceChildren(diff(row, row.whole));
          row.toggle.textContent = row.whole ? "Show the change only" : "Show the whole function";
        });
      }
    } else {
      box.append(make("p", "nochange", "The report does not say what changes here."));
    }
    const facts = make("dl", "facts");
    const fact = (name, ...value) => facts.append(make("div", "", make("dt", "", name), make("dd", "", ...value)));
    fact("Verdict", findings[row.finding] + (row.evidence && ": " + row.evidence) + (row.counts ? ". Counted as equivalent in the scores." : ""));
    if (row.reason) fact(row.finding === "cannot-tell" ? "Why not" : "Why", row.reason);
    if (row.nearest) {
      fact("Nearest example", make("code", "", row.nearest.change), " ",
        make("span", "pill " + (row.nearest.label ? "yes" : "no"), row.nearest.label ? "equivalent" : "not equivalent"),
        [" " + (row.nearest.source ?? ""), "similarity " + row.nearest.similarity.toFixed(2)].join(", "));
    }
    const made = [row.operator, row.description].filter(Boolean).join(": ");
    if (made) fact("Made by", made);
    if (row.status) fact("Status", row.status + (row.tests === undefined ? "" : ", covered by " + row.tests + (row.tests === 1 ? " test" : " tests")));
    if (row.details) fact("Details", row.details);
    fact("Place", row.folder + row.name);
    box.append(facts);
    if (row.test) {
      box.append(make("div", "test", make("p", "side-title", "a test that kills it: it passes now and fails on the mutant"),
        make("pre", "", make("code", "", coloured([["", row.test]], row.file)))));
    }
    const actions = make("div", "actions");
    if (row.toggle) actions.append(row.toggle);
    if (row.test) actions.append(button("", "Copy test", () => copyTest(row)));
    if (row.key) {
      actions.append(make("span", "key", make("span", "", "key "), make("code", "", row.key)),
        button("", "Copy key", () => copy(row.key, "Key")));
      if (row.accept) actions.append(button("", "Copy accept command", () => copy(row.accept, "Command")));
      if (row.reject) actions.append(button("", "Copy reject command", () => copy(row.reject, "Command")));
    }
    box.append(actions);
    return box;
  };

  const toggle = (row, open = !row.open) => {
    row.open = open;
    if (!row.node) return;
    row.node.classList.toggle("open", open);
    row.node.firstChild.setAttribute("aria-expanded", String(open));
    if (open) row.node.append(body(row));
    else { row.node.lastChild.remove(); row.toggle = null; row.whole = false; }
  };

  const article = (row) => {
    if (row.node) return row.node;
    row.node = make("article", "mutant c-" + row.finding, header(row));
    row.node.row = row;
    row.node.addEventListener("focusin", () => select(row));
    row.node.addEventListener("click", () => select(row));
    row.node.firstChild.addEventListener("click", () => toggle(row));
    if (row.open) toggle(row, true);
    return row.node;
  };

  // ---------------------------------------------------------------- the list
  const list = byId("list");
  const more = byId("more");
  let shown = [];
  let drawn = 0;
  let selected = null;

  const draw = (upTo = drawn + CHUNK) => {
    const end = Math.min(upTo, shown.length);
    const fragment = document.createDocumentFragment();
    for (; drawn < end; drawn++) fragment.append(article(shown[drawn]));
    list.append(fragment);
    more.hidden = drawn >= shown.length;
  };
  const select = (row) => {
    if (selected && selected.node) selected.node.classList.remove("selected");
    selected = row;
    if (row) row.node.classList.add("selected");
  };
  const step = (by) => {
    if (!shown.length) return;
    const at = Math.max(0, Math.min(shown.length - 1, (selected ? shown.indexOf(selected) : -1) + by));
    if (at >= drawn) draw(at + CHUNK);
    const head = shown[at].node.firstChild;
    head.focus({ preventScroll: true });
    shown[at].node.scrollIntoView({ block: "nearest" });
    select(shown[at]);
  };

  const fields = ["finding", "tier", "file", "operator"];
  const apply = () => {
    const words = byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = fields.map((name) => [name, byId(name).value]).filter(([, value]) => value);
    shown = rows.filter((row) => wanted.every(([name, value]) => row[name] === value)
      && (!words.length || words.every((word) => haystack(row).includes(word))));
    shown.sort(byId("sort").value === "place" ? byPlace : byRank);
    list.replaceChildren();
    drawn = 0;
    if (selected && !shown.includes(selected)) select(null);
    const filtered = words.length > 0 || wanted.length > 0;
    byId("count").textContent = shown.length === rows.length
      ? rows.length.toLocaleString("en") + (rows.length === 1 ? " mutant" : " mutants")
      : shown.length.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " mutants";
    byId("reset").hidden = !filtered;
    for (const part of document.querySelectorAll(".part")) {
      part.setAttribute("aria-pressed", String(part.dataset.finding === byId("finding").value));
    }
    if (shown.length) draw();
    else { list.append(make("p", "empty", rows.length ? "No mutant fits these filters." : "No mutant was judged.")); more.hidden = true; }
  };
  const reset = () => {
    byId("search").value = "";
    for (const name of fields) byId(name).value = "";
    apply();
  };

  const fill = (name, label) => {
    const counts = new Map();
    for (const row of rows) if (row[name]) counts.set(row[name], (counts.get(row[name]) || 0) + 1);
    const values = [...counts.keys()];
    byId(name).closest("p").hidden = !values.length;
    const order = name === "finding" ? Object.keys(findings) : name === "tier" ? Object.keys(tiers) : null;
    values.sort(order ? (a, b) => order.indexOf(a) - order.indexOf(b) : (a, b) => (a < b ? -1 : 1));
    for (const value of values) {
      const option = make("option", "", label(value) + " (" + counts.get(value) + ")");
      option.value = value;
      byId(name).append(option);
    }
    byId(name).addEventListener("change", apply);
  };
  const tail = (text) => (text.length > 60 ? "…" + text.slice(-59) : text);
  fill("finding", (value) => findings[value]);
  fill("tier", (value) => tiers[value]);
  fill("file", tail);
  fill("operator", (value) => tail(value.slice(value.lastIndexOf(".") + 1) || value));
  byId("sort").addEventListener("change", apply);
  byId("reset").addEventListener("click", reset);
  byId("filters-toggle").addEventListener("click", () => {
    const all = byId("filters").classList.toggle("all");
    byId("filters-toggle").setAttribute("aria-expanded", String(all));
    byId("filters-toggle").textContent = all ? "Fewer filters" : "Filters";
  });
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  let waiting = 0;
  byId("search").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(apply, rows.length > 500 ? 120 : 0); });
  for (const part of document.querySelectorAll(".part")) {
    part.addEventListener("click", () => {
      byId("finding").value = byId("finding").value === part.dataset.finding ? "" : part.dataset.finding;
      apply();
    });
  }
  const watcher = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    draw();
    watcher.unobserve(more); // asked anew: it may still be in sight
    watcher.observe(more);
  }, { rootMargin: "1200px" });
  watcher.observe(more);
  addEventListener("beforeprint", () => draw(shown.length));

  // ---------------------------------------------------------------- keyboard, help, theme
  const help = byId("help");
  byId("help-open").addEventListener("click", () => help.showModal());
  byId("help-close").addEventListener("click", () => help.close());
  help.addEventListener("click", (event) => { if (event.target === help) help.close(); });
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    o: () => selected && toggle(selected),
    f: () => { if (selected && !selected.open) toggle(selected); if (selected && selected.toggle) selected.toggle.click(); },
    c: () => selected && selected.key && copy(selected.key, "Key"),
    a: () => selected && selected.accept && copy(selected.accept, "Command"),
    t: () => selected && selected.test && copyTest(selected),
    r: () => selected && selected.reject && copy(selected.reject, "Command"),
    "/": () => byId("search").focus(),
    "?": () => help.showModal(),
    Escape: reset,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const typing = event.target.matches("input, textarea, select");
    if (typing) {
      if (event.key !== "Escape") return;
      event.target.blur();
      event.preventDefault();
      return;
    }
    const action = keys[event.key];
    if (action) { event.preventDefault(); action(); }
  });
  byId("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  // ---------------------------------------------------------------- start
  const asked = location.hash.slice(1);
  const linked = asked && rows.find((row) => row.key === asked);
  const first = linked || rows.reduce((best, row) => (!best || byRank(row, best) < 0 ? row : best), null);
  if (first) first.open = true;
  apply();
  if (linked) {
    draw(shown.indexOf(linked) + CHUNK);
    select(linked);
    linked.node.scrollIntoView({ block: "center" });
  }
})();
