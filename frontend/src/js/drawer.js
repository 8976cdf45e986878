// A bay opens its disk beside the drawing; with a modifier key, or without this script, it is a link.
export function drawer() {
  const dialog = document.querySelector("#drawer");
  if (!dialog) return;
  const content = dialog.querySelector("#drawer-content");
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("a[data-drawer]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    await window.htmx.ajax("GET", link.href, { target: content, select: "#disk", swap: "innerHTML" });
    if (!dialog.open) dialog.showModal();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}
