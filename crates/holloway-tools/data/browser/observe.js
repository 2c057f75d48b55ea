// Runs before every page's own scripts and keeps what the browser tells about loading:
// the largest paint, layout shifts in windows as Core Web Vitals counts them, and long tasks.
(() => {
  const seen = { lcp: null, cls: 0, tasks: [] };
  let shifts = { sum: 0, first: 0, last: 0 };
  const watch = (type, each) => {
    try {
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
    } catch (unsupported) { /* the metric stays unknown */ }
  };
  watch("largest-contentful-paint", (entry) => { seen.lcp = entry.startTime; });
  watch("layout-shift", (entry) => {
    if (entry.hadRecentInput) return;
    const goesOn = entry.startTime - shifts.last < 1000 && entry.startTime - shifts.first < 5000;
    shifts = goesOn
      ? { sum: shifts.sum + entry.value, first: shifts.first, last: entry.startTime }
      : { sum: entry.value, first: entry.startTime, last: entry.startTime };
    seen.cls = Math.max(seen.cls, shifts.sum);
  });
  watch("longtask", (entry) => seen.tasks.push([entry.startTime, entry.duration]));
  Object.defineProperty(window, "__hollowayLab", { value: seen });
})();
