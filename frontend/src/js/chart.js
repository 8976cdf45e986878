// Charts of time series: drawn when they come into view, zoomed and pointed at together.
import uPlot from "uplot";

const DAY_S = 86400;
const SPANS_S = { hour: 3600, day: DAY_S, week: 7 * DAY_S, month: 31 * DAY_S, year: 366 * DAY_S, all: 731 * DAY_S };
const HEIGHT = 200;
// From which distance between ticks on what they say, and what is added where the day or year changes.
const TICKS = [
  [365 * DAY_S, "{YYYY}", null, null, null, null, null, null, 1],
  [28 * DAY_S, "{YYYY}-{MM}", null, null, null, null, null, null, 1],
  [DAY_S, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
  [60, "{HH}:{mm}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
  [1, "{HH}:{mm}:{ss}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
];
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

// Round numbers of KiB, MiB and so on.
const BINARY_STEPS = [...Array(56).keys()].map((power) => 2 ** power);

// Of a temperature its changes matter; of all else how far it is from nothing.
function limits(unit, low, high, most) {
  if (unit === "celsius") return [Math.floor(low) - 2, Math.ceil(high) + 2];
  return [Math.min(0, low), most ?? (high > 0 ? high * 1.1 : 1)];
}

function scaled(value, base, units) {
  let power = 0;
  while (Math.abs(value) >= base && power < units.length - 1) {
    value /= base;
    power += 1;
  }
  const digits = value >= 100 || power === 0 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[power]}`;
}

const WORDS = {
  percent: (value) => `${value.toFixed(value < 10 ? 1 : 0)} %`,
  bytes: (value) => scaled(value, 1024, ["B", "KiB", "MiB", "GiB", "TiB", "PiB"]),
  rate: (value) => scaled(value, 1000, ["B/s", "KB/s", "MB/s", "GB/s"]),
  ms: (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`,
  celsius: (value) => `${Math.round(value)} °C`,
  each: (value) => `${value.toFixed(value < 10 ? 1 : 0)} /s`,
  number: (value) => `${Number(value.toFixed(2))}`,
};

function colour(name, of) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  of.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function say(root, text) {
  const line = document.createElement("p");
  line.className = "fine";
  line.textContent = text;
  root.replaceChildren(line);
  root.classList.add("said");
}

async function read(href, query) {
  const answer = await fetch(`${href}?${new URLSearchParams(query)}`, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

class Chart {
  constructor(root, page) {
    this.root = root;
    this.page = page;
    this.plot = null;
    this.seen = false;
    this.known = "";
    new ResizeObserver(() => this.plot?.setSize({ width: root.clientWidth, height: HEIGHT })).observe(root);
    new IntersectionObserver((entries) => {
      this.seen = entries.some((entry) => entry.isIntersecting);
      if (this.seen && !this.plot) this.load();
    }).observe(root);
  }

  async load() {
    const { chart, with: beside } = this.root.dataset;
    const span = this.page.span();
    try {
      const query = { chart, ...span, ...(beside ? { with: beside } : {}) };
      this.draw(await read(this.page.root.dataset.points, query), span);
    } catch {
      this.drop();
      say(this.root, "The history cannot be read now. Try again in a moment.");
    }
  }

  drop() {
    this.plot?.destroy();
    this.plot = null;
    this.known = "";
  }

  draw(found, span) {
    if (!found.times.length) {
      this.drop();
      return say(this.root, "Nothing was measured in this time.");
    }
    const data = [found.times, ...found.values];
    const lines = `${found.labels}|${found.subjects}`;
    if (this.plot && this.known === lines) {
      this.plot.setData(data, false);
      this.plot.setScale("x", { min: Number(span.from), max: Number(span.to) });
      return undefined;
    }
    this.drop();
    this.root.replaceChildren();
    this.root.classList.remove("said");
    this.plot = new uPlot(this.options(found, span), data, this.root);
    this.known = lines;
    return undefined;
  }

  options(found, span) {
    const root = this.root;
    const ink = colour("soft", root);
    const line = colour("line", root);
    const words = WORDS[root.dataset.unit];
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
    const names = [root.dataset.first, root.dataset.second];
    const most = Number(root.dataset.most) || null;
    return {
      width: root.clientWidth,
      height: HEIGHT,
      cursor: { y: false, sync: { key: "charts" }, drag: { x: true, y: false, setScale: false } },
      series: [
        { label: "Time", value: "{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}" },
        ...found.labels.map((label, index) => ({
          label: names[0] ? `${label}, ${names[found.subjects[index]]}` : label,
          stroke: colour(`line-${index % 8}`, root),
          dash: DASHES[index % DASHES.length],
          width: 1.5,
          spanGaps: false,
          gaps: (plot, which, from, to, gaps) => this.holes(plot, which, gaps),
          value: (_, value) => (value === null || value === undefined ? "–" : words(value)),
        })),
      ],
      axes: [
        { ...axis, values: TICKS },
        {
          ...axis,
          size: 76,
          values: (_, ticks) => ticks.map((tick) => words(tick)),
          ...(root.dataset.unit === "bytes" ? { incrs: BINARY_STEPS } : {}),
        },
      ],
      scales: {
        x: { min: Number(span.from), max: Number(span.to) },
        y: { range: (_, low, high) => limits(root.dataset.unit, low, high, most) },
      },
      hooks: { setSelect: [(plot) => this.page.zoom(plot)], draw: [(plot) => this.page.mark(plot)] },
    };
  }

  // Lines of several steps share their times: only where a line lacks three of its own steps it is broken.
  holes(plot, which) {
    const times = plot.data[0];
    const own = times.filter((_, index) => plot.data[which][index] !== null && plot.data[which][index] !== undefined);
    const steps = own.slice(1).map((time, index) => time - own[index]).sort((a, b) => a - b);
    const usual = steps[Math.floor(steps.length / 2)] ?? 0;
    const found = [];
    for (let index = 1; index < own.length; index += 1) {
      if (own[index] - own[index - 1] > 3 * usual) {
        found.push([plot.valToPos(own[index - 1], "x", true), plot.valToPos(own[index], "x", true)].map(Math.round));
      }
    }
    return found;
  }
}

class Page {
  constructor(root) {
    this.root = root;
    this.fixed = null;
    this.marks = [];
    this.form = document.querySelector(".chart-form, #spans");
    this.whole = root.querySelector("[data-whole]");
    this.charts = [...root.querySelectorAll("[data-chart]")].map((one) => new Chart(one, this));
    this.whole?.addEventListener("click", () => this.show(null));
    this.form?.addEventListener("change", (event) => this.changed(event));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      for (const one of this.charts) one.drop();
      this.load();
    });
    document.body.addEventListener("points", () => this.again());
    this.meanwhile();
  }

  range() {
    return this.form?.querySelector("[name='range']:checked")?.value ?? this.root.dataset.range;
  }

  span() {
    if (this.fixed) return this.fixed;
    const to = Math.ceil(Date.now() / 1000);
    return { from: String(to - SPANS_S[this.range()]), to: String(to) };
  }

  changed(event) {
    if (event.target.name !== "range") return this.form.requestSubmit?.();
    const here = new URL(location.href);
    here.searchParams.set("range", event.target.value);
    history.replaceState(null, "", here);
    return this.show(null);
  }

  zoom(plot) {
    if (plot.select.width < 8) return;
    const [from, to] = [plot.select.left, plot.select.left + plot.select.width].map((at) => Math.round(plot.posToVal(at, "x")));
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    if (to - from >= 60) this.show({ from: String(from), to: String(to) });
  }

  show(fixed) {
    this.fixed = fixed;
    if (this.whole) this.whole.hidden = fixed === null;
    this.load();
  }

  load() {
    for (const one of this.charts) one.seen ? one.load() : one.drop();
    this.meanwhile();
  }

  // What ends now moves on with each round of points; of months there is nothing new so often.
  again() {
    if (!document.hidden && !this.fixed && ["hour", "day"].includes(this.range())) {
      for (const one of this.charts) if (one.seen) one.load();
    }
  }

  async meanwhile() {
    const list = this.root.querySelector("[data-marks-list]");
    if (!list) return;
    try {
      this.marks = (await read(this.root.dataset.marks, this.span())).marks;
    } catch {
      this.marks = [];
    }
    list.replaceChildren(...this.marks.map(row));
    list.closest("section").hidden = this.marks.length === 0;
    for (const one of this.charts) one.plot?.redraw(false);
  }

  mark(plot) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.strokeStyle = colour("edge", this.root);
    ctx.setLineDash([2, 4]);
    for (const one of this.marks) {
      const x = Math.round(plot.valToPos(one.time, "x", true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
    ctx.restore();
  }
}

function row(mark) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const time = document.createElement("time");
  const moment = new Date(mark.time * 1000);
  const two = (number) => String(number).padStart(2, "0");
  time.dateTime = moment.toISOString();
  time.className = "fine";
  time.textContent =
    `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ` +
    `${two(moment.getHours())}:${two(moment.getMinutes())}`;
  link.href = mark.href;
  link.textContent = mark.label;
  item.append(time, link);
  return item;
}

const pages = [...document.querySelectorAll("[data-charts]")].map((root) => new Page(root));

// On paper there is no scrolling: what was not in view yet is drawn first.
for (const button of document.querySelectorAll("[data-print]")) {
  button.addEventListener("click", async () => {
    const missing = pages.flatMap((page) => page.charts).filter((chart) => !chart.plot);
    await Promise.all(missing.map((chart) => chart.load()));
    window.print();
  });
}
