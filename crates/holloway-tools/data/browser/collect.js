// Runs once the page is quiet: the metrics, how many words there are to read, and targets that are too
// small to tap (WCAG 2.2 2.5.8: 24 by 24 CSS pixels, unless in running text or with room around).
(() => {
  const lab = window.__hollowayLab || { lcp: null, cls: null, tasks: [] };
  const paint = performance.getEntriesByType("paint").find((entry) => entry.name === "first-contentful-paint");
  const fcp = paint ? paint.startTime : null;
  const blocked = lab.tasks
    .filter(([start]) => fcp !== null && start >= fcp - 50)
    .reduce((sum, [, duration]) => sum + Math.max(0, duration - 50), 0);
  const text = document.body ? document.body.innerText : "";

  const path = (element) => {
    const parts = [];
    for (let at = element; at && at.nodeType === 1 && at !== document.documentElement; at = at.parentElement) {
      if (at.id && /^[A-Za-z][\w-]*$/.test(at.id)) { parts.unshift("#" + at.id); break; }
      const name = at.localName;
      const same = at.parentElement ? [...at.parentElement.children].filter((other) => other.localName === name) : [];
      parts.unshift(same.length > 1 ? `${name}:nth-of-type(${same.indexOf(at) + 1})` : name);
    }
    return parts.join(" > ");
  };
  const targets = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link], [role=checkbox], [role=tab]")]
    .filter((element) => element.checkVisibility ? element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) : true)
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 1 && box.height > 1 && box.right > 0 && box.bottom > 0);
  const inText = (element) => getComputedStyle(element).display === "inline" && element.parentElement
    && element.parentElement.innerText.trim().length > element.innerText.trim().length + 10;
  const middle = (box) => [box.left + box.width / 2, box.top + box.height / 2];
  const crowded = ({ element, box }) => targets.some((other) => {
    if (other.element === element || other.element.contains(element) || element.contains(other.element)) return false;
    const [x, y] = middle(box);
    const dx = Math.max(other.box.left - x, 0, x - other.box.right);
    const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
    return Math.hypot(dx, dy) < 12;
  });
  const small = targets
    .filter(({ element, box }) => Math.min(box.width, box.height) < 23.5 && !inText(element))
    .filter(crowded)
    .slice(0, 50)
    .map(({ element, box }) => ({
      element: path(element),
      evidence: `${Math.round(box.width)} by ${Math.round(box.height)} pixels: ${element.outerHTML.slice(0, 120)}`,
    }));
  return JSON.stringify({
    fcp, lcp: lab.lcp, cls: lab.cls, tbt: fcp === null ? null : blocked,
    words_shown: text.split(/\s+/).filter(Boolean).length,
    small_targets: small,
    url: location.href,
    html: document.documentElement ? document.documentElement.outerHTML.slice(0, 2000000) : "",
  });
})();
