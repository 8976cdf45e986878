"use strict";
// Draws the description into the page. "Try it out" sends with the session's cookie or a token given there.
SwaggerUIBundle({
  url: document.getElementById("docs").dataset.schema,
  dom_id: "#docs",
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
});
