// Pointing at a vdev lights up its bays, and a bay its vdev; arrow keys move in true rows and columns.
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

let pointedAt = {};

function mark(name, elements) {
  for (const element of document.querySelectorAll(`.${name}`)) element.classList.remove(name);
  for (const element of elements) element.classList.add(name);
}

function all(selector) {
  return [...document.querySelectorAll(selector)];
}

// `vdev` and `at` are what is pointed at; from inside the drawing nothing else is dimmed.
function light({ vdev, at, inside }) {
  pointedAt = { vdev, at, inside };
  const lit = vdev ? all(`[data-vdev="${CSS.escape(vdev)}"]`) : [];
  const here = at ? all(`[data-at="${CSS.escape(at)}"]`) : [];
  mark("lit", lit);
  mark("here", here);
  const bays = [...lit, ...here].filter((element) => element.matches(".bay"));
  for (const drawing of all(".chassis")) {
    drawing.classList.toggle("lighting", !inside && bays.some((bay) => drawing.contains(bay)));
  }
  if (bays.length && !lit.length) for (const bay of bays) bay.classList.add("lit");
}

function pointed(event) {
  // The whole bay in a sentence, for the pointer too: written once by the server, as its label.
  const sled = event.target.closest?.("a.sled");
  if (sled && !sled.title) sled.title = sled.ariaLabel;
  const element = event.target.closest?.("[data-vdev], [data-at]");
  light({
    vdev: element?.dataset.vdev,
    at: element?.dataset.at,
    inside: Boolean(element?.matches(".bay")),
  });
}

function stop(bay) {
  return bay?.querySelector("a.sled, .sled input, button.sled");
}

// The drawing is one stop for the Tab key; arrows move within it.
function settle(drawing) {
  const stops = [...drawing.querySelectorAll(".bay")].map(stop).filter((found) => found && !found.disabled);
  const first = stops.includes(document.activeElement) ? document.activeElement : stops[0];
  for (const element of stops) element.tabIndex = element === first ? 0 : -1;
}

function move(event) {
  const step = MOVES[event.key];
  const bay = event.target.closest?.(".bay");
  if (!step || !bay || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...bay.closest(".chassis").querySelectorAll(".row")].map((row) => [...row.children]);
  let row = rows.findIndex((bays) => bays.includes(bay));
  let column = rows[row].indexOf(bay);
  for (;;) {
    row += step[0];
    column += step[1];
    // Past the end of a row comes the next group's first bay, and back.
    if (column < 0 && row > 0) column = rows[(row -= 1)].length - 1;
    if (rows[row] && column >= rows[row].length && step[1]) [row, column] = [row + 1, 0];
    const next = rows[row]?.[Math.min(column, rows[row].length - 1)];
    if (!next) return;
    const target = stop(next);
    if (!target || target.disabled) continue;
    event.preventDefault();
    for (const other of bay.closest(".chassis").querySelectorAll("[tabindex='0']")) other.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
    return;
  }
}

// The style sheet follows the choice at once; the address keeps it for a reload and for whoever it is sent to.
function viewed(event) {
  if (!event.target.matches(".views [name='view']")) return;
  const address = new URL(location.href);
  address.searchParams.set("view", event.target.value);
  history.replaceState(history.state, "", address);
}

export function chassis() {
  document.addEventListener("pointerover", pointed);
  document.addEventListener("focusin", pointed);
  document.addEventListener("keydown", move);
  document.addEventListener("change", viewed);
  const settleAll = () => all(".chassis").forEach(settle);
  document.addEventListener("htmx:after:swap", () => {
    settleAll();
    light(pointedAt);
  });
  settleAll();
}
