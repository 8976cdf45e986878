// Keeps "12 s ago" true between two answers of the server.
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

export function ages() {
  // The server's clock may differ from this one: only the time that passed here is added.
  const seen = new WeakMap();
  document.body.addEventListener("tick", () => {
    for (const element of document.querySelectorAll("[data-age]")) {
      const given = element.dataset.age;
      const known = seen.get(element);
      if (!known || known.given !== given) seen.set(element, { given, since: performance.now() });
      const passed = (performance.now() - seen.get(element).since) / 1000;
      element.textContent = age(Number(given) + passed);
    }
  });
}
