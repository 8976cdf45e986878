// Fires `tick` on the body when there is something new while somebody looks: what shows the present listens with
// hx-trigger="tick from:body". `points` is fired with the points of time series. The server says when; where it
// cannot, as behind a proxy that holds its stream back, the page asks every two seconds.
const PERIOD_MS = 2000;
const POINTS_EVERY = 5; // of these
const AGAIN_MS = 20000; // pages that were left hold their place for some seconds

export function ticking() {
  const address = document.body.dataset.stream;
  let stream = null;
  let timer = null;
  let refused = 0;
  let count = 0;

  const fire = (name) => {
    // A list in which somebody selects rows holds still: a fresh one would take the ticks away.
    if (document.hidden || document.querySelector("input[data-row]:checked")) return;
    document.body.dispatchEvent(new Event(name));
  };
  const points = () => {
    fire("points");
    fire("tick");
  };
  const poll = () => {
    timer ??= setInterval(() => ((count += 1) % POINTS_EVERY ? fire("tick") : points()), PERIOD_MS);
  };
  const rest = () => {
    clearInterval(timer);
    timer = null;
  };
  const close = () => {
    stream?.close();
    stream = null;
    rest();
  };
  const open = () => {
    if (stream || document.hidden) return;
    poll(); // until it is there
    if (!address || Date.now() - refused < AGAIN_MS) return;
    stream = new EventSource(address);
    stream.addEventListener("open", rest);
    stream.addEventListener("change", () => fire("tick"));
    stream.addEventListener("points", points);
    stream.addEventListener("error", () => {
      poll();
      if (stream?.readyState !== EventSource.CLOSED) return;
      stream = null;
      refused = Date.now();
      setTimeout(open, AGAIN_MS);
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return close();
    points();
    return open();
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", open);
  open();
}
