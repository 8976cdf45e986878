// Keeps "12 s ago", "off in 40 s" and "in 40 s" true between two answers of the server.
const STEPS = [
  [86400, "d"],
  [3600, "h"],
  [60, "min"],
  [1, "s"],
];

function age(seconds) {
  for (const [length, unit] of STEPS) {
    if (seconds >= length) return `${Math.floor(seconds / length)} ${unit} ago`;
  }
  return "just now";
}

function left(seconds) {
  if (seconds < 1) return "off now";
  return seconds < 100 ? `off in ${Math.ceil(seconds)} s` : `off in ${Math.ceil(seconds / 60)} min`;
}

function soon(seconds) {
  return seconds < 1 ? "now" : `in ${Math.ceil(seconds)} s`;
}

const WORDS = { age, left: (seconds) => left(-seconds), until: (seconds) => soon(-seconds) };

export function ages() {
  // The server's clock may differ from this one: only the time that passed here is added.
  const seen = new WeakMap();
  document.body.addEventListener("tick", () => {
    for (const element of document.querySelectorAll("[data-age], [data-left], [data-until]")) {
      const kind = ["age", "left", "until"].find((name) => name in element.dataset);
      const given = element.dataset[kind];
      const known = seen.get(element);
      if (!known || known.given !== given) seen.set(element, { given, since: performance.now() });
      const passed = (performance.now() - seen.get(element).since) / 1000;
      // What lies ahead is counted down: as an age it is below zero.
      element.textContent = WORDS[kind](passed + (kind === "age" ? Number(given) : -Number(given)));
    }
  });
}
