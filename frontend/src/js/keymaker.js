// Makes a key in the browser, shows it once and lets it be saved: until the form is sent nobody else has it.
export function keymaker() {
  return {
    made: "",
    lock: "",
    init() {
      this.lock = this.$root.querySelector("[name='lock']:checked")?.value ?? "passphrase";
    },
    choose(event) {
      if (event.target.name === "lock") this.lock = event.target.value;
    },
    get byPassphrase() {
      return this.lock === "passphrase";
    },
    get byKey() {
      return this.lock === "key";
    },
    get isMade() {
      return this.made !== "";
    },
    make() {
      const bytes = crypto.getRandomValues(new Uint8Array(32));
      this.made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      this.$root.querySelector("[name='key']").value = this.made;
    },
    save() {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([`${this.made}\n`], { type: "text/plain" }));
      link.download = `${this.$root.dataset.name || "dataset"}.key`;
      link.click();
      URL.revokeObjectURL(link.href);
    },
  };
}
