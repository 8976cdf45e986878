// The search box: `/` goes there, arrows walk through what was found, Escape leaves.
export function finder() {
  return {
    init() {
      this.field = this.$root.querySelector("input");
      document.addEventListener("keydown", (event) => {
        const typing = event.target.closest("input, textarea, select, [contenteditable]");
        if (event.key !== "/" || typing || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        this.field.focus();
        this.field.select();
      });
    },
    walk(event) {
      const stops = [this.field, ...this.$root.querySelectorAll(".found a")];
      const at = stops.indexOf(document.activeElement);
      const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
      if (!["ArrowDown", "ArrowUp"].includes(event.key) || !next) return;
      event.preventDefault();
      next.focus();
    },
    leave() {
      document.activeElement.blur();
    },
  };
}
