// A refresh leaves folds as somebody left them (morphIgnore in base.html). One that holds what is chosen opens all
// the same where its own part of the page is answered anew: else nobody would see what that is. What comes into
// other parts, such as search results, does not open it.
export function folds() {
  document.addEventListener("htmx:after:swap", (event) => {
    const answered = event.detail.ctx.target;
    for (const fold of answered.querySelectorAll("details[data-holds-choice]")) fold.open = true;
  });
}
