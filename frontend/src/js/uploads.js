// Files that are chosen, or dropped on the page of a folder, are sent to it: a row for each.
import { chosen, dropped, foldersOf } from "./dropping.js";
import { Sending, makeFolder, written } from "./sending.js";

const AT_ONCE = 2;
const SHOWN = {
  waiting: ["cancel"],
  sending: ["pause", "cancel"],
  paused: ["go", "cancel"],
  asking: ["rename", "replace", "skip"],
  failed: ["retry", "cancel"],
  done: [],
};

function size(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  for (; bytes >= 1024 && unit < units.length - 1; unit++) bytes /= 1024;
  return `${unit ? bytes.toFixed(1) : bytes} ${units[unit]}`;
}

function time(seconds) {
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min left` : `${(seconds / 3600).toFixed(1)} h left`;
}

class Row {
  constructor(box, { path, file }, key) {
    this.box = box;
    this.element = box.template.content.firstElementChild.cloneNode(true);
    this.name = path;
    this.element.querySelector("[data-name]").textContent = path;
    this.bar = this.element.querySelector("progress");
    this.bar.ariaLabel = path;
    const above = path.split("/").slice(0, -1).map(written);
    const folder = [box.place.folder, ...above].filter(Boolean).join("/");
    this.sending = new Sending(file, { ...box.place, folder }, { key, changed: (said) => this.moved(said) });
    for (const button of this.element.querySelectorAll("[data-does]")) {
      button.ariaLabel = `${button.textContent} ${path}`;
      button.addEventListener("click", () => this[button.dataset.does]());
    }
    box.rows.append(this.element);
    this.show("waiting", size(file.size));
  }

  show(state, said) {
    this.state = state;
    this.element.dataset.state = state;
    for (const button of this.element.querySelectorAll("[data-does]")) {
      button.hidden = !SHOWN[state].includes(button.dataset.does) || (button.dataset.does === "replace" && !this.box.replaces);
    }
    this.bar.hidden = state === "done" || state === "asking";
    this.element.querySelector("[data-said]").textContent = said;
    if (["asking", "failed", "done"].includes(state)) this.box.tell(`${this.name}: ${said}`);
  }

  moved(said) {
    if (this.state !== "sending") return;
    const { offset, file } = this.sending;
    this.bar.value = file.size ? offset / file.size : 1;
    const seconds = (performance.now() - this.began) / 1000;
    this.from ??= offset;
    const speed = (offset - this.from) / seconds;
    const pace = speed > 0 ? `, ${size(speed)}/s, ${time((file.size - offset) / speed)}` : "";
    this.show("sending", said || `${size(offset)} of ${size(file.size)}${pace}`);
  }

  async start() {
    this.began = performance.now();
    this.from = null;
    this.show("sending", "Starting…");
    try {
      const made = await this.sending.run();
      if (made === null) return;
      const warned = made.warnings.map((one) => ` ${one.message}`).join("");
      this.show("done", `Uploaded as ${decodeURIComponent(made.path.split("/").pop())}.${warned}`);
      this.box.arrived = true;
    } catch (error) {
      if (error.code === "exists") {
        const loses = this.box.replaces ? " Replacing it deletes the existing file, unless a snapshot has it." : "";
        this.show("asking", `${error.message}${loses}`);
      } else {
        if (error.code === "gone" || error.status === 404) this.sending.key = null;
        this.show("failed", error.message);
      }
    } finally {
      this.box.next();
    }
  }

  pause() {
    this.sending.pause();
    this.show("paused", `Paused at ${size(this.sending.offset)}`);
    this.focus("go");
  }

  go() {
    this.show("waiting", "Waiting");
    this.box.next();
    this.focus(this.state === "sending" ? "pause" : "cancel");
  }

  retry() {
    this.go();
  }

  rename() {
    this.sending.existing = "rename";
    this.go();
  }

  replace() {
    this.sending.existing = "replace";
    this.go();
  }

  skip() {
    this.cancel();
  }

  async cancel() {
    this.state = "done";
    this.element.remove();
    this.box.tell(`${this.name}: cancelled`);
    this.box.choose.focus();
    await this.sending.cancel().catch(() => {}); // what is left of it is removed after a day
    this.box.next();
  }

  focus(does) {
    this.element.querySelector(`[data-does="${does}"]`).focus();
  }
}

class Box {
  constructor(element) {
    const { dataset, folder, chunk } = element.dataset;
    const token = element.querySelector("[name='csrfmiddlewaretoken']").value;
    this.element = element;
    this.place = { dataset, folder, token, chunk: Number(chunk) };
    this.replaces = "replaces" in element.dataset;
    this.rows = element.querySelector("[data-rows]");
    this.status = element.querySelector("[data-status]");
    this.template = element.querySelector("template[data-row]");
    this.choose = element.querySelector("[data-choose]");
    this.all = [];
    this.arrived = false;
  }

  async add(found) {
    if (!found.length) this.say("There are no files in it.");
    try {
      for (const folder of foldersOf(found)) await makeFolder(this.place, folder);
    } catch (error) {
      this.say(`The folder was not uploaded. ${error.message}`);
      return;
    }
    this.arrived ||= found.some(({ path }) => path.includes("/"));
    for (const one of found) {
      const known = [...this.rows.querySelectorAll("[data-unfinished]")].find(
        (known) => known.dataset.name === written(one.path) && Number(known.dataset.size) === one.file.size,
      );
      this.all.push(new Row(this, one, known?.dataset.unfinished ?? null));
      known?.remove();
    }
    this.next();
  }

  next() {
    const sending = this.all.filter((row) => row.state === "sending").length;
    const waiting = this.all.filter((row) => row.state === "waiting");
    for (const row of waiting.slice(0, Math.max(0, AT_ONCE - sending))) row.start();
    if (sending || waiting.length || !this.arrived) return;
    this.arrived = false;
    window.htmx.ajax("GET", location.href, { target: "#answer", swap: "outerHTML" });
  }

  // For screen readers alone: the row shows it.
  tell(words) {
    this.status.textContent = words;
    this.status.classList.add("unseen");
  }

  say(words) {
    this.status.textContent = words;
    this.status.classList.remove("unseen");
  }

  get busy() {
    return this.all.some((row) => row.state === "sending" || row.state === "waiting");
  }
}

export function uploads() {
  const element = document.querySelector("[data-uploads]");
  if (!element) return;
  const box = new Box(element);
  for (const input of element.querySelectorAll("[data-files]")) {
    input.previousElementSibling.addEventListener("click", () => input.click());
    input.addEventListener("change", () => {
      box.add(chosen(input.files));
      input.value = "";
    });
  }
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  document.addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    element.classList.add("aimed");
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) element.classList.remove("aimed");
  });
  document.addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    element.classList.remove("aimed");
    dropped(event.dataTransfer).then(
      (found) => box.add(found),
      (error) => box.say(`What was dropped cannot be read. ${error.message}`),
    );
  });
  addEventListener("beforeunload", (event) => {
    if (box.busy) event.preventDefault();
  });
}
