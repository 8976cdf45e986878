// A refresh leaves folds as somebody left them (morphIgnore in base.html). One that holds what is chosen opens all
// the same: else nobody would see what that is.
export function folds() {
  document.addEventListener("htmx:after:swap", () => {
    for (const fold of document.querySelectorAll("details[data-holds-choice]")) fold.open = true;
  });
}
