// The console's one script. Every page reads without it; it makes them quick.
import "htmx.org/dist/htmx.esm.js";
import "htmx.org/dist/ext/hx-alpine-compat.js";
import Alpine from "@alpinejs/csp";

import { ages } from "./ages.js";
import { away } from "./away.js";
import { builder } from "./builder.js";
import { chassis } from "./chassis.js";
import { confirmation } from "./confirmation.js";
import { copying } from "./copying.js";
import { drawer } from "./drawer.js";
import { early } from "./early.js";
import { finder } from "./finder.js";
import { keymaker } from "./keymaker.js";
import { kinds } from "./kinds.js";
import { lights } from "./lights.js";
import { memory } from "./memory.js";
import { printing } from "./printing.js";
import { toasts } from "./toasts.js";
import { ticks } from "./ticks.js";
import { ticking } from "./ticking.js";
import { uploads } from "./uploads.js";
import { zone } from "./zone.js";

document.documentElement.classList.add("js");
window.Alpine = Alpine;
Alpine.data("builder", builder);
Alpine.data("confirmation", confirmation);
Alpine.data("copying", copying);
Alpine.data("finder", finder);
Alpine.data("keymaker", keymaker);
Alpine.data("kinds", kinds);
Alpine.data("memory", memory);
Alpine.data("printing", printing);
Alpine.data("ticks", ticks);
Alpine.data("zone", zone);
Alpine.start();

ages();
away();
chassis();
drawer();
early();
lights();
ticking();
toasts();
uploads();
