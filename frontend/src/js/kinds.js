// The form for a dataset: a file system and a volume ask for different things.
export function kinds() {
  return {
    kind: "filesystem",
    init() {
      this.kind = this.$root.querySelector("[name='kind']:checked")?.value ?? "filesystem";
    },
    choose(event) {
      this.kind = event.target.value;
    },
    get volume() {
      return this.kind === "volume";
    },
    get filesystem() {
      return this.kind === "filesystem";
    },
  };
}
