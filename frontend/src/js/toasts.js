// A toast stays until it is closed: what it says, and the way to undo it, may be wanted after a while.
export function toasts() {
  document.addEventListener("click", (event) => {
    event.target.closest("[data-closes-toast]")?.closest(".toast").remove();
  });
}
