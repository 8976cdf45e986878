// While the machine restarts or shuts down, says how far that is, and opens the page again once it is back.
// It is back when the console knows another start of the machine: the one that ends goes on answering for
// a while, and nobody may take that for the new one.
const PERIOD_MS = 2000;
const TIMEOUT_MS = 5000;
const LATE_MS = 5 * 60 * 1000;
const SILENT = 3; // answers in a row that did not come

export function away() {
  const began = Date.now();
  let missed = 0;
  let asking = false;

  const look = async () => {
    const panel = document.querySelector("[data-away]");
    if (!panel || asking) return;
    asking = true;
    const start = await startOf(panel.dataset.asks);
    asking = false;
    const silent = missed >= SILENT;
    missed = start === null ? missed + 1 : 0;
    if (start !== null && (start ? start !== panel.dataset.start : silent)) {
      show(panel, "back");
      location.reload();
      return;
    }
    const gone = missed >= SILENT;
    const late = Date.now() - began > LATE_MS;
    if (gone) show(panel, late && panel.dataset.away === "restart" ? "late" : "gone");
    else show(panel, late ? "stuck" : "going");
  };
  setInterval(look, PERIOD_MS);
}

// The start that the console knows; empty where it wants somebody to sign in first, null where nothing answers.
async function startOf(address) {
  try {
    const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) return null;
    return answer.redirected ? "" : (await answer.json()).start;
  } catch {
    return null;
  }
}

function show(panel, state) {
  for (const words of panel.querySelectorAll("[data-when]")) {
    const hidden = !words.dataset.when.split(" ").includes(state);
    if (words.hidden !== hidden) words.hidden = hidden;
  }
}
