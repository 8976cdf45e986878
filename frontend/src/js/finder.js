// The search box: Ctrl-K or `/` goes there, arrows walk through what was found, Enter opens it, Escape leaves.
// While nothing is typed it offers what was chosen last.
const MOST = 8;

export function finder() {
  return {
    init() {
      this.field = this.$root.querySelector("input");
      this.recent = this.$root.querySelector(".recent");
      this.key = `recent-${this.$root.dataset.user}`;
      document.addEventListener("keydown", (event) => {
        const typing = event.target.closest("input, textarea, select, [contenteditable]");
        const palette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
        const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey;
        if (!palette && !slash) return;
        event.preventDefault();
        this.field.focus();
        this.field.select();
      });
      this.field.addEventListener("focus", () => this.offer());
      this.field.addEventListener("input", () => this.offer());
      this.$root.addEventListener("click", (event) => this.remember(event.target.closest(".found a")));
    },
    offer() {
      const chosen = this.chosen();
      this.recent.hidden = this.field.value !== "" || chosen.length === 0;
      if (this.recent.hidden) return;
      const row = this.$root.querySelector("template").content;
      this.recent.querySelector("ul").replaceChildren(
        ...chosen.map(({ href, title }) => {
          const item = row.cloneNode(true);
          item.querySelector("a").setAttribute("href", href);
          item.querySelector("a").dataset.title = title;
          item.querySelector("span").textContent = title;
          return item;
        }),
      );
    },
    chosen() {
      try {
        const kept = JSON.parse(localStorage.getItem(this.key) ?? "[]");
        // Only addresses of this console, whatever else has written there.
        return kept.filter(({ href, title }) => /^\/(?!\/)/.test(href) && typeof title === "string");
      } catch {
        return [];
      }
    },
    remember(link) {
      if (!link) return;
      const one = { href: link.getAttribute("href"), title: link.dataset.title };
      const others = this.chosen().filter(({ href }) => href !== one.href);
      localStorage.setItem(this.key, JSON.stringify([one, ...others].slice(0, MOST)));
    },
    walk(event) {
      const links = [...this.$root.querySelectorAll(".found:not([hidden]) a")];
      // What was found for another text is not opened: then the form is sent, and all results are a page.
      const found = this.$root.querySelector("#found .hits")?.dataset.q === this.field.value.trim();
      if (event.key === "Enter" && event.target === this.field && found && links.length > 0) {
        event.preventDefault();
        links[0].click();
        return;
      }
      const stops = [this.field, ...links];
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
