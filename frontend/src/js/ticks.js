// Says how many snapshots the button would destroy.
export function ticks() {
  return {
    ticked: 0,
    init() {
      this.count();
    },
    count() {
      this.ticked = this.$root.querySelectorAll("[name='names']:checked").length;
    },
    get words() {
      if (this.ticked === 0) return "Destroy ticked snapshots";
      return this.ticked === 1 ? "Destroy 1 snapshot" : `Destroy ${this.ticked} snapshots`;
    },
  };
}
