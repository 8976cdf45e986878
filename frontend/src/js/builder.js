// Picking disks in the bays: a tick takes the role that is chosen above, and the layouts are computed anew.
export function builder() {
  return {
    role: "data",
    init() {
      this.role = this.$root.querySelector("[name='picking']:checked")?.value ?? "data";
    },
    get hint() {
      return this.$root.querySelector(`[name='picking'][value='${this.role}']`)?.dataset.hint ?? "";
    },
    choose(event) {
      this.role = event.target.value;
    },
    tick(event) {
      const input = event.target;
      if (!input.matches(".pick input")) return;
      this.assign(input, input.checked ? this.role : "data");
    },
    assign(input, role) {
      input.name = role;
      input.closest(".pick").querySelector(".role").textContent = input.checked && role !== "data" ? role : "";
    },
    all() {
      this.set((input) => input.dataset.free === "yes" || input.checked);
    },
    none() {
      this.set(() => false);
    },
    set(wanted) {
      const inputs = [...this.$root.querySelectorAll(".pick input:enabled")];
      for (const input of inputs) {
        const before = input.checked;
        input.checked = wanted(input);
        if (input.checked !== before) this.assign(input, input.checked ? this.role : "data");
      }
      inputs[0]?.dispatchEvent(new Event("change", { bubbles: true }));
    },
  };
}
