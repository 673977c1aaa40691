"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  const [form, text, shown] = ["filters", "text", "shown"].map(element);
  const selects = ["format", "level", "verdict"].map(element);
  const cases = Array.from(document.querySelectorAll(".case"), (node) => ({ node, data: node.dataset, words: null }));
  const sections = Array.from(document.querySelectorAll(".rule"));
  const rows = new Map(Array.from(document.querySelectorAll(".matrix tbody tr"), (row) => [row.dataset.rule, row]));
  // The text of a case is collected at the first text search.
  const says = (one) => (one.words ??= `${one.node.textContent} ${one.node.parentElement.id}`.replaceAll("\u200b", "").toLowerCase());

  const filter = () => {
    const [format, level, verdict] = selects.map((select) => select.value);
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const one of cases) {
      const fits =
        (!format || one.data.format === format) &&
        (!level || one.data.level === level) &&
        (!verdict || one.data.verdicts.split(" ").includes(verdict)) &&
        words.every((word) => says(one).includes(word));
      one.node.hidden = !fits;
      count += fits;
    }
    for (const section of sections) {
      const empty = !section.querySelector(".case:not([hidden])");
      const isFiltered = format || level || verdict || words.length > 0;
      section.hidden = empty && isFiltered;
      const row = rows.get(section.dataset.rule);
      if (row) row.hidden = section.hidden;
    }
    shown.textContent = `${count} of ${cases.length} shown`;
  };

  let waiting = 0;
  form.addEventListener("input", () => {
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(filter);
  });
  form.addEventListener("reset", () => requestAnimationFrame(filter));
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
