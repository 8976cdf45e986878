// Offers the browser's time zone: a new machine knows only UTC, and its owner's browser knows better. Where the
// field says that nobody has chosen one yet, it is chosen at once, for all to see.
export function zone() {
  return {
    here: "",
    init() {
      this.field = this.$root.querySelector("select");
      const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
      const listed = [...this.field.options].some((option) => option.value === here);
      if (!listed || here === "UTC" || here === this.field.value) return;
      if ("unset" in this.$root.dataset) this.field.value = here;
      else this.here = here;
    },
    take() {
      this.field.value = this.here;
      this.here = "";
      this.field.focus();
    },
  };
}
