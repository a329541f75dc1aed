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

for (const table of document.querySelectorAll("table.stack")) {
  // On a narrow screen the cells of a row stand below each other, and each says what it is.
  const names = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
  for (const row of table.tBodies[0].rows) {
    [...row.cells].forEach((cell, index) => {
      if (cell.tagName === "TD" && cell.dataset.label === undefined) cell.dataset.label = names[index];
    });
  }
}

for (const form of document.querySelectorAll("form.filters")) {
  const rows = [...form.closest("section").querySelectorAll("table.results tbody tr")].map((row) => ({
    row,
    text: row.textContent.toLowerCase(),
  }));
  const choices = [...form.querySelectorAll("select")].map((select) => select.name);
  const families = [...form.closest("section").querySelectorAll("details.family")];
  const apply = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = choices.filter((name) => form.elements[name].value);
    let shown = 0;
    for (const { row, text } of rows) {
      const keep = words.every((word) => text.includes(word)) &&
        chosen.every((name) => row.dataset[name] === form.elements[name].value);
      row.hidden = !keep;
      if (keep) shown += 1;
    }
    const asked = words.length + chosen.length > 0;
    for (const family of families) {
      family.hidden = !family.querySelector("tbody tr:not([hidden])");
      if (asked) family.open = !family.hidden;
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
