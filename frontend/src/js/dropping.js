// The files among what was chosen or dropped, each with its path: those of a folder begin with the folder's name.

// Of a folder in pieces, as browsers give it, until there is no more.
async function inside(folder) {
  const reader = folder.createReader();
  const found = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return found;
    found.push(...some);
  }
}

async function walk(entry, above, found) {
  const path = above + entry.name;
  if (entry.isFile) found.push({ path, file: await new Promise((done, failed) => entry.file(done, failed)) });
  else for (const inner of await inside(entry)) await walk(inner, `${path}/`, found);
}

// What is dropped is there only as long as the event: the entries are taken before anything is waited for.
export async function dropped(transfer) {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.length) return chosen(transfer.files);
  const found = [];
  for (const entry of entries) await walk(entry, "", found);
  return found;
}

export function chosen(files) {
  return [...files].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

// The folders that those files need, parents first.
export function foldersOf(found) {
  const folders = new Set();
  for (const { path } of found) {
    const names = path.split("/").slice(0, -1);
    names.forEach((_, depth) => folders.add(names.slice(0, depth + 1).join("/")));
  }
  return [...folders].sort();
}
