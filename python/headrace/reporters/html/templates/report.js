"use strict";
// Sorts and filters the tables. Without it the page shows everything, in the order of the file.

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function cellValue(row, index) {
  const cell = row.cells[index];
  if (!cell.classList.contains("n")) return cell.textContent.trim();
  return cell.dataset.value === undefined ? null : Number(cell.dataset.value);
}

function compare(a, b, sign) {
  if (a === b) return 0;
  if (a === null || a === "") return 1; // what is missing stays at the end
  if (b === null || b === "") return -1;
  return sign * (typeof a === "number" ? a - b : collator.compare(a, b));
}

function sortBy(table, index) {
  const heads = [...table.tHead.rows[0].cells];
  const numeric = heads[index].classList.contains("n");
  const was = heads[index].getAttribute("aria-sort");
  const first = numeric ? "descending" : "ascending";
  const second = numeric ? "ascending" : "descending";
  const order = was === first ? second : first;
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[index].setAttribute("aria-sort", order);
  const sign = order === "ascending" ? 1 : -1;
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [cellValue(row, index), row]);
  rows.sort((a, b) => compare(a[0], b[0], sign));
  body.append(...rows.map((pair) => pair[1]));
}

for (const table of document.querySelectorAll("table.sortable")) {
  [...table.tHead.rows[0].cells].forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(table, index));
    head.append(button);
  });
}

const FIELDS = { operation: 2, condition: 3, compiler: 4, directory: 5, knob: 6 };

for (const form of document.querySelectorAll("form.filters")) {
  const table = document.getElementById(form.dataset.table);
  const rows = [...table.tBodies[0].rows].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
    fields: Object.fromEntries(Object.entries(FIELDS).map(([name, index]) => [name, row.cells[index].textContent])),
  }));
  const apply = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = Object.keys(FIELDS).filter((name) => form.elements[name] && form.elements[name].value);
    let shown = 0;
    for (const { row, text, fields } of rows) {
      const keep = words.every((word) => text.includes(word)) &&
        chosen.every((name) => fields[name] === form.elements[name].value);
      row.hidden = !keep;
      if (keep) shown += 1;
    }
    form.querySelector("output").textContent = `${shown} of ${rows.length} rows`;
  };
  form.addEventListener("input", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  apply();
}

let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach((box) => { box.open = true; });
});
addEventListener("afterprint", () => opened.forEach((box) => { box.open = false; }));
