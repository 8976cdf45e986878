// Keeps "12 s ago" and "off in 40 s" true between two answers of the server.
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

export function ages() {
  // The server's clock may differ from this one: only the time that passed here is added.
  const seen = new WeakMap();
  document.body.addEventListener("tick", () => {
    for (const element of document.querySelectorAll("[data-age], [data-left]")) {
      const given = element.dataset.age ?? element.dataset.left;
      const known = seen.get(element);
      if (!known || known.given !== given) seen.set(element, { given, since: performance.now() });
      const passed = (performance.now() - seen.get(element).since) / 1000;
      const { left: until } = element.dataset;
      element.textContent = until === undefined ? age(Number(given) + passed) : left(Number(until) - passed);
    }
  });
}
