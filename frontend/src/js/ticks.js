// Boxes of a list: how many are ticked, all of them at once, and with Shift a whole range.
export function ticks() {
  return {
    ticked: 0,
    total: 0,
    last: null,
    init() {
      this.count();
    },
    boxes() {
      return [...this.$root.querySelectorAll("input[type='checkbox'][data-row]")];
    },
    count() {
      const boxes = this.boxes();
      this.total = boxes.length;
      this.ticked = boxes.filter((box) => box.checked).length;
    },
    // A click has changed its own box already; the others follow it.
    range(event) {
      const box = event.target.closest("input[data-row]");
      if (!box) return;
      const boxes = this.boxes();
      const [from, to] = [boxes.indexOf(this.last), boxes.indexOf(box)].sort((a, b) => a - b);
      if (event.shiftKey && from >= 0) for (const one of boxes.slice(from, to + 1)) one.checked = box.checked;
      this.last = box;
      this.count();
    },
    every(event) {
      for (const box of this.boxes()) box.checked = event.target.checked;
      this.count();
    },
    get none() {
      return this.ticked === 0;
    },
    get said() {
      return this.ticked === 0 ? "None selected" : `${this.ticked} of ${this.total} selected`;
    },
    get words() {
      if (this.ticked === 0) return "Destroy selected snapshots";
      return this.ticked === 1 ? "Destroy 1 snapshot" : `Destroy ${this.ticked} snapshots`;
    },
  };
}
