// Runs axe-core in Chromium over folders of pages, served on loopback with scripts of
// the pages switched off, and writes what it found: per page and rule the places of the
// elements in document order.
// Usage: run.mjs <modules> <chromium> <folder> <out.json> [<file with pages, one a line>]
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import { readFile, writeFile, readdir, stat } from 'node:fs/promises';
import { extname, join, relative, resolve, sep } from 'node:path';

const [modules, executablePath, folder, output, list] = process.argv.slice(2);
const require = createRequire(resolve(modules, 'package.json'));
const { chromium } = require('playwright-core');
const axe = require('axe-core');

// A violation of these is only ever reported as "needs review".
const REVIEWED = new Set(['bypass', 'duplicate-id-aria', 'frame-title-unique', 'form-field-multiple-labels', 'th-has-data-cells', 'video-caption']);
// These are off unless asked for.
const ASKED_FOR = { 'identical-links-same-purpose': { enabled: true } };
const TYPES = { '.html': 'text/html; charset=utf-8', '.htm': 'text/html; charset=utf-8', '.css': 'text/css', '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg' };

const root = resolve(folder);
// The root of a packaged site is some folder above its pages.
async function find(asked, referer) {
  const parts = referer ? decodeURIComponent(new URL(referer).pathname).split('/').filter(Boolean) : [];
  for (let count = 0; count <= parts.length; count += 1) {
    const path = join(root, ...parts.slice(0, count), asked);
    const known = path.startsWith(root + sep) && (await stat(path).catch(() => undefined));
    if (known?.isFile()) return path;
  }
  throw new Error('not found');
}

const server = createServer(async (request, response) => {
  const asked = decodeURIComponent(new URL(request.url, 'http://x').pathname);
  try {
    const path = await find(asked, request.headers.referer);
    const body = await readFile(path);
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream', 'content-security-policy': "script-src 'none'" });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
const origin = `http://127.0.0.1:${server.address().port}`;

async function pagesIn(directory) {
  const names = (await readdir(directory)).sort();
  const found = [];
  for (const name of names) {
    const path = join(directory, name);
    if ((await stat(path)).isDirectory()) found.push(...(await pagesIn(path)));
    else if (/\.html?$/.test(name)) found.push(path);
  }
  return found;
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
// Nothing is asked of the internet.
await context.route('**/*', (route) => (route.request().url().startsWith(origin) ? route.continue() : route.abort()));
const result = { axe: axe.version, pages: {} };
const wanted = list ? (await readFile(list, 'utf8')).split('\n').filter(Boolean).map((name) => join(root, name)) : await pagesIn(root);
for (const path of wanted) {
  const name = relative(root, path).split(sep).join('/');
  const page = await context.newPage();
  try {
    await page.goto(`${origin}/${name.split('/').map(encodeURIComponent).join('/')}`, { waitUntil: 'load', timeout: 20000 });
    await page.evaluate(axe.source);
    const found = await page.evaluate(async (options) => {
      const order = new Map([...document.querySelectorAll('*')].map((element, place) => [element, place]));
      const answer = await axe.run(document, { resultTypes: ['violations', 'incomplete'], elementRef: true, iframes: false, rules: options });
      const places = (list) => Object.fromEntries(list.map((one) => [one.id, one.nodes.map((node) => order.get(node.element)).filter((place) => place !== undefined)]));
      const tags = [...order.keys()].map((element) => element.localName);
      return { elements: tags.length, tags, violations: places(answer.violations), incomplete: places(answer.incomplete) };
    }, ASKED_FOR);
    const reviewed = Object.entries(found.incomplete).filter(([rule]) => REVIEWED.has(rule));
    const rules = { ...found.violations };
    for (const [rule, places] of reviewed) rules[rule] = [...(rules[rule] ?? []), ...places];
    const sorted = Object.fromEntries(Object.entries(rules).sort().map(([rule, places]) => [rule, [...new Set(places)].sort((a, b) => a - b)]));
    const unsure = found.incomplete['color-contrast'] ?? [];
    result.pages[name] = { elements: found.elements, found: sorted, unsure };
  } catch (error) {
    console.error(`${name}: ${error.message.split('\n')[0]}`);
  }
  await page.close();
}
await browser.close();
server.close();
await writeFile(output, JSON.stringify(result, null, 1).replace(/\n\s+(-?\d+,?)(?=\n)/g, ' $1').replace(/\[ (\d)/g, '[$1').replace(/(\d)\n\s+\]/g, '$1]') + '\n');
console.error(`${Object.keys(result.pages).length} pages by axe-core ${axe.version}`);
