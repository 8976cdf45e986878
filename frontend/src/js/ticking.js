// Fires `tick` on the body while somebody looks: what polls listens with hx-trigger="tick from:body".
const PERIOD_MS = 2000;

export function ticking() {
  const tick = () => {
    // A list in which somebody selects rows holds still: a fresh one would take the ticks away.
    if (document.querySelector("input[data-row]:checked")) return;
    if (!document.hidden) document.body.dispatchEvent(new Event("tick"));
  };
  setInterval(tick, PERIOD_MS);
  document.addEventListener("visibilitychange", tick);
}
