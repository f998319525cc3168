// Finds pages, headings and names of the API by parts of their words; the page one is on stands out in the navigation.
(() => {
  const here = location.pathname.split("/").pop() || "index.html";
  for (const link of document.querySelectorAll("nav.site a"))
    if (link.getAttribute("href") === here) link.setAttribute("aria-current", "page");

  const form = document.getElementById("search"), field = form.querySelector("input"), list = document.getElementById("found");
  const rank = (name, words) => {
    const lower = name.toLowerCase();
    if (!words.every(word => lower.includes(word))) return -1;
    const last = lower.split("::").pop();
    return last === words[0] ? 0 : last.startsWith(words[0]) ? 1 : 2;
  };
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.replaceChildren();
    const found = words.length ? searched.map(entry => [rank(entry[0], words), entry]).filter(pair => pair[0] >= 0) : [];
    found.sort((a, b) => a[0] - b[0] || a[1][0].length - b[1][0].length);
    for (const [, [name, address, kind]] of found.slice(0, 20)) {
      const link = document.createElement("a"), what = document.createElement("small");
      link.href = address;
      link.textContent = name;
      what.textContent = " " + kind;
      link.append(what);
      list.appendChild(document.createElement("li")).append(link);
    }
    if (words.length && !found.length) list.appendChild(document.createElement("li")).textContent = "Nothing is named so.";
    list.hidden = !words.length;
  });
  form.addEventListener("submit", event => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  form.addEventListener("keydown", event => { if (event.key === "Escape") { field.value = ""; list.hidden = true; } });
})();
