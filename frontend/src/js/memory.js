// The form for ZFS's cache: the slider and the box say the same, and what is left to everything else follows.
export function memory() {
  return {
    left: "",
    init() {
      this.box = this.$root.querySelector("#max");
      this.slider = this.$root.querySelector("[type='range']");
      this.typed();
    },
    slid() {
      this.box.value = this.slider.value;
      this.say();
    },
    typed() {
      this.slider.value = this.number || this.slider.max;
      this.say();
    },
    get number() {
      return Number.parseFloat(this.box.value.replace(",", "."));
    },
    say() {
      const rest = Number.parseFloat(this.$root.dataset.memory) - this.number;
      if (!this.box.value.trim()) this.left = "Empty: ZFS decides, all but 1 GiB.";
      else this.left = rest >= 0 ? `${rest.toFixed(1)} GiB are left to everything else.` : "";
    },
  };
}
