// The disk page's chart. Loaded on that page alone; the data comes from the API when it is looked at.
import uPlot from "uplot";

const DAY_S = 86400;
// From which distance between ticks on what they say, and what is added where the day or year changes.
const TICKS = [
  [365 * DAY_S, "{YYYY}", null, null, null, null, null, null, 1],
  [28 * DAY_S, "{YYYY}-{MM}", null, null, null, null, null, null, 1],
  [DAY_S, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
  [60, "{HH}:{mm}", "\n{YYYY}-{MM}-{DD}", null, "\n{MM}-{DD}", null, null, null, 1],
];

function colour(name, of) {
  const probe = document.createElement("i");
  probe.style.color = `var(--${name})`;
  of.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

function options(root) {
  const ink = colour("soft", root);
  const line = colour("line", root);
  const accent = colour("accent", root);
  const unit = root.dataset.unit;
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  return {
    width: root.clientWidth,
    height: 260,
    cursor: { y: false },
    series: [
      { label: "Time", value: "{YYYY}-{MM}-{DD} {HH}:{mm}" },
      {
        label: "Temperature",
        stroke: accent,
        width: 1.5,
        value: (_, value) => (value === null || value === undefined ? "–" : `${Math.round(value)} ${unit}`),
      },
    ],
    axes: [{ ...axis, values: TICKS }, { ...axis, size: 56, values: (_, ticks) => ticks.map((tick) => `${tick} ${unit}`) }],
    scales: { y: { range: (_, low, high) => [Math.floor(low) - 2, Math.ceil(high) + 2] } },
  };
}

function said(root, text) {
  const line = document.createElement("p");
  line.className = "fine";
  line.textContent = text;
  root.replaceChildren(line);
  root.classList.add("said");
}

async function draw(root, days) {
  const until = Math.floor(Date.now() / 1000);
  const query = new URLSearchParams({
    name: root.dataset.name,
    from: new Date((until - days * DAY_S) * 1000).toISOString(),
    to: new Date(until * 1000).toISOString(),
  });
  let data;
  try {
    const answer = await fetch(`${root.dataset.href}?${query}`, { headers: { accept: "application/json" } });
    if (answer.status === 404) return said(root, "Nothing was measured yet.");
    if (!answer.ok) throw new Error(String(answer.status));
    data = await answer.json();
  } catch {
    return said(root, "The history cannot be read now. Try again in a moment.");
  }
  const [times, values] = data;
  if (!times?.length) return said(root, "Nothing was measured in this time.");
  root.replaceChildren();
  root.classList.remove("said");
  const plot = new uPlot(options(root), [times, values], root);
  new ResizeObserver(() => plot.setSize({ width: root.clientWidth, height: 260 })).observe(root);
}

const root = document.querySelector("#chart");
if (root?.dataset.name) {
  const spans = document.querySelector("#spans");
  const again = () => draw(root, Number(spans.querySelector(":checked").value));
  spans.addEventListener("change", again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  // Drawn when it comes into view: most visits to the page never look so far down.
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    again();
  });
  seen.observe(root);
} else if (root) {
  said(root, "Nothing was measured yet.");
}
