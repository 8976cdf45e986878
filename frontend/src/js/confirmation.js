// The button stays shut until the name is typed; the server asks again.
export function confirmation() {
  return {
    typed: "",
    init() {
      this.typed = this.$root.querySelector("[name='typed']")?.value ?? "";
    },
    get shut() {
      return this.typed.trim() !== this.$root.dataset.name;
    },
  };
}
