// Copies the text of the block it stands in.
export function copying() {
  return {
    said: "Copy",
    async copy() {
      const text = [...this.$root.querySelectorAll("code")].map((line) => line.textContent).join("\n");
      try {
        await navigator.clipboard.writeText(text);
        this.said = "Copied";
      } catch {
        // Without HTTPS there is no clipboard: mark the text, so that Ctrl-C takes it.
        getSelection().selectAllChildren(this.$root.querySelector("pre, code"));
        this.said = "Marked: press Ctrl-C";
      }
      setTimeout(() => {
        this.said = "Copy";
      }, 3000);
    },
  };
}
