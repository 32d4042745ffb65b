/** What the page does: says what a point is, shows the curves of one pair of thresholds, and sorts the table. */
export const SCRIPT = `
const say = (event) => {
  const mark = event.target.closest?.("[data-says]");
  if (mark) mark.closest("figure").querySelector(".said").textContent = mark.dataset.says;
};
addEventListener("pointerover", say);
addEventListener("click", say);
for (const button of document.querySelectorAll("button[data-cut]")) {
  button.addEventListener("click", () => {
    for (const each of document.querySelectorAll("button[data-cut]")) each.setAttribute("aria-pressed", String(each === button));
    for (const curve of document.querySelectorAll("g[class*=cut]"))
      curve.style.display = button.dataset.cut === "" || curve.classList.contains(button.dataset.cut) ? "" : "none";
  });
}
const table = document.querySelector("table");
for (const [at, head] of [...table.tHead.rows[0].cells].entries()) {
  head.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const each of head.parentNode.cells) each.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const value = (row) => row.cells[at].dataset.value;
    const order = (a, b) => (isNaN(value(a)) || isNaN(value(b)) ? value(a).localeCompare(value(b)) : value(a) - value(b));
    const body = table.tBodies[0];
    body.append(...[...body.rows].sort((a, b) => (up ? order(a, b) : order(b, a))));
  });
}
`;
