// What shines shows on every button that belongs to it, also on pages that do not refresh themselves.
function follow() {
  const lit = document.querySelector("#lights")?.dataset.lit.split(" ") ?? [];
  for (const button of document.querySelectorAll("button.locate")) {
    const on = lit.includes(button.value);
    if (on === (button.name === "off")) continue;
    button.name = on ? "off" : "on";
    button.classList.toggle("lit-now", on);
    button.querySelector(".says").textContent = on ? "Light off" : "Locate";
    const what = button.ariaLabel.replace(/^(Locate|Turn the light off,) /, "");
    button.ariaLabel = `${on ? "Turn the light off," : "Locate"} ${what}`;
  }
}

export function lights() {
  document.addEventListener("htmx:after:swap", follow);
}
