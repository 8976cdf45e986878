// Pointing at a vdev lights up its bays; arrow keys move from bay to bay in true rows and columns.
const MOVES = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

let pointedAt;

function light(vdev) {
  pointedAt = vdev;
  const found = vdev ? document.querySelectorAll(`.bay[data-vdev="${CSS.escape(vdev)}"]`) : [];
  for (const drawing of document.querySelectorAll(".chassis")) {
    drawing.classList.toggle("lighting", found.length > 0);
  }
  for (const bay of document.querySelectorAll(".lit")) bay.classList.remove("lit");
  for (const bay of found) bay.classList.add("lit");
}

function pointed(event) {
  light(event.target.closest("[data-vdev]:not(.bay)")?.dataset.vdev);
}

function stop(bay) {
  return bay?.querySelector("a.sled, .sled input");
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

export function chassis() {
  document.addEventListener("pointerover", pointed);
  document.addEventListener("focusin", pointed);
  document.addEventListener("keydown", move);
  const all = () => document.querySelectorAll(".chassis").forEach(settle);
  document.addEventListener("htmx:after:swap", () => {
    all();
    if (pointedAt) light(pointedAt);
  });
  all();
}
