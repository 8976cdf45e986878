// Writes static/dist: the script and style sheet of all pages, those of charts, and the icons that the templates inline.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import * as esbuild from "esbuild";

const OUT = "static/dist";

// Only the icons that templates name; `frontend.templatetags.nasweb.icon` reads the result.
const ICONS = [
  "activity", "archive", "arrow-down", "arrow-left", "arrow-right", "arrow-up", "ban", "bell", "box", "boxes", "camera", "check", "chevron-right",
  "circle-alert", "circle-check", "circle-dashed", "circle-help", "circle-x", "clock", "copy", "cpu", "database",
  "disc-3", "ellipsis", "eraser", "eye", "flame", "folder", "folder-tree", "gauge", "hard-drive", "info", "key-round", "layers", "lock", "lock-open",
  "layout-dashboard", "lightbulb", "lightbulb-off", "list-checks", "loader-circle", "log-out", "memory-stick",
  "columns-2", "lock", "lock-open", "chevron-down",
  "download", "file", "folder-plus", "history", "upload", "laptop", "link", "terminal", "undo-2",
  "mail", "message-square", "send", "smartphone", "webhook",
  "monitor", "moon", "pencil", "plus", "power", "printer", "qr-code",
  "refresh-cw", "search", "server", "settings", "share-2", "shield", "shield-alert", "shield-check", "sliders-horizontal",
  "square-stack", "stethoscope", "thermometer", "trash-2", "triangle-alert", "unplug", "usb", "user", "users", "x",
];

async function icons() {
  const found = {};
  for (const name of ICONS) {
    const file = await readFile(`node_modules/lucide-static/icons/${name}.svg`, "utf8");
    const inside = file.match(/<svg[^>]*>(.*)<\/svg>/s);
    found[name] = inside[1].trim().replace(/>\s+</g, "><");
  }
  await writeFile(`${OUT}/icons.json`, JSON.stringify(found));
}

const options = {
  entryPoints: [
    { in: "src/js/app.js", out: "app" },
    { in: "src/css/app.css", out: "app" },
    { in: "src/js/chart.js", out: "chart" },
    { in: "src/css/chart.css", out: "chart" },
  ],
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "linked",
  logLevel: "warning",
};

await mkdir(OUT, { recursive: true });
await icons();
await writeFile(`${OUT}/mark.svg`, await readFile("src/mark.svg"));
if (process.argv.includes("--watch")) {
  await (await esbuild.context(options)).watch();
} else {
  await esbuild.build(options);
}
