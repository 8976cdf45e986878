// htmx listens one timer after the script has run. What was typed or ticked until then, or given back by the
// browser when the page was loaded again, is answered now instead of at the next key.
export function early() {
  setTimeout(() => {
    for (const field of document.querySelectorAll("input:not([type=file]), select, textarea")) {
      const event = changed(field);
      if (event) field.dispatchEvent(new Event(event, { bubbles: true }));
    }
  });
}

function changed(field) {
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked && "change";
  if (!field.matches("select")) return field.value !== field.defaultValue && "input";
  const chosen = [...field.options].findIndex((option) => option.defaultSelected);
  return field.selectedIndex !== Math.max(chosen, 0) && "change";
}
