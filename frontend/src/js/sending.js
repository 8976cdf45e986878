// One file on its way to the machine: piece by piece, so that what was cut off goes on where it stopped.
const API = "/api/v1/";
const LONGEST_PAUSE_MS = 30_000;

// What the machine answered where it refused: `code` is that of its first finding.
export class Refusal extends Error {
  constructor(status, problem) {
    const finding = problem.findings?.find((one) => one.level === "error");
    super(finding?.message ?? problem.detail ?? "The machine refused it.");
    this.code = finding?.code ?? "";
    this.status = status;
  }
}

async function call(token, method, path, body, headers = {}, signal = undefined) {
  const kind = body instanceof Blob ? "application/octet-stream" : "application/json";
  const answer = await fetch(API + path, {
    method,
    signal,
    headers: { "X-CSRFToken": token, "Content-Type": kind, ...headers },
    body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
  });
  if (answer.ok) return answer.status === 204 ? null : answer.json();
  const problem = await answer.json().catch(() => ({}));
  // Nobody answers at the moment: worth another try, like a connection that broke.
  if ([502, 503, 504].includes(answer.status)) throw new TypeError(problem.detail);
  throw new Refusal(answer.status, problem);
}

// Names are sent as the machine writes them: a percent sign is %25.
export const written = (name) => name.replaceAll("%", "%25");

async function digest(piece) {
  if (!crypto.subtle) return {}; // without HTTPS
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", await piece.arrayBuffer()));
  return { "Content-Digest": `sha-256=:${btoa(String.fromCharCode(...sum))}:` };
}

// A folder that is there already is as good as a new one.
export async function makeFolder({ token, dataset, folder }, path) {
  const within = [folder, ...path.split("/").slice(0, -1).map(written)].filter(Boolean).join("/");
  const address = `datasets/${dataset.split("/").map(encodeURIComponent).join("/")}/folders/`;
  try {
    await call(token, "POST", address, { folder: within, name: written(path.split("/").pop()) });
  } catch (error) {
    if (error.code !== "exists") throw error;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export class Sending {
  constructor(file, place, { key = null, changed }) {
    Object.assign(this, { file, place, key, changed, offset: 0, existing: "refuse", stopped: null });
  }

  // Until the file is there: the answer. Null where it was paused. Throws `Refusal`.
  run() {
    this.running = this.#tries();
    return this.running;
  }

  async #tries() {
    const stop = (this.stopped = new AbortController());
    for (let wait = 1000; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
      try {
        return await this.#steps(stop.signal);
      } catch (error) {
        if (stop.signal.aborted) return null;
        const again = error instanceof TypeError || error.code === "wrong-offset";
        if (!again) throw error;
        this.changed(error instanceof TypeError ? "No answer from the NAS. Retrying…" : "");
        await pause(wait);
        if (stop.signal.aborted) return null;
      }
    }
  }

  async #steps(signal) {
    const { token, dataset, folder, chunk } = this.place;
    if (this.key === null) {
      const wish = { dataset, folder, name: written(this.file.name), size_bytes: this.file.size, existing: this.existing };
      const begun = await call(token, "POST", "uploads/", wish);
      this.key = begun.id;
      this.offset = 0;
    } else {
      this.offset = (await call(token, "GET", `uploads/${this.key}/`, undefined, {}, signal)).offset;
    }
    while (this.offset < this.file.size) {
      const piece = this.file.slice(this.offset, this.offset + chunk);
      const headers = await digest(piece);
      const sent = await call(token, "PUT", `uploads/${this.key}/?offset=${this.offset}`, piece, headers, signal);
      this.offset = sent.offset;
      this.changed("");
    }
    return call(token, "POST", `uploads/${this.key}/finish/`, { existing: this.existing });
  }

  pause() {
    this.stopped?.abort();
  }

  async cancel() {
    this.pause();
    await this.running?.catch(() => null); // it may be about to begin
    if (this.key !== null) await call(this.place.token, "DELETE", `uploads/${this.key}/`);
  }
}
