// How does one package answer? Messages come in on stdin, one JSON text a line, and go
// out on stdout, each after a record separator, so that stray output cannot pass for one.
//
// in:  {op: "describe" | "ping", id} · {op: "call", id, tool, input, env, key} · {op: "cancel", id}
// out: {id, ok, rss} · {id, error: {name, message}, rss} · {fatal: {name, message}}

import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, load } from './describe.mjs';
import { prepare, safe, text } from './values.mjs';
import { guard } from './guard.mjs';

const [packageName, largestText] = process.argv.slice(2);
const largest = Number(largestText);
const context = new AsyncLocalStorage();
const { sendText, leave } = guard(context);
const running = new Map();
let loaded;

const send = (message) => sendText(JSON.stringify(message));

function failure(error) {
  const name = typeof error?.name === 'string' ? error.name : 'Error';
  const said = error instanceof Error || typeof error?.message === 'string' ? error.message : error;
  return safe({ name: text(name, 100), message: text(said, 8_000) });
}

function answer(id, content) {
  send({ id, ...content, rss: process.memoryUsage.rss() });
}

/** The end of it: what is under way fails with this error, and the next worker starts afresh. */
function fatal(error) {
  send({ fatal: failure(error) });
  leave(70);
}
process.on('uncaughtException', fatal);
process.on('unhandledRejection', fatal);

/** The tools of the package; loaded once, by whichever message needs them first. */
function tools() {
  loaded ??= load(packageName);
  return loaded;
}

/** What an iterable gave last is the result: the ones before are preliminary. */
async function settled(result) {
  const value = await result;
  if (typeof value?.[Symbol.asyncIterator] !== 'function') return value;
  let last;
  for await (const part of value) last = part;
  return last;
}

async function call({ id, tool: path, input, env, key }) {
  const abort = new AbortController();
  const store = { env: { ...env } };
  running.set(id, abort);
  try {
    const tool = (await tools()).get(path);
    if (!tool) {
      throw Object.assign(new Error(`the package exports no tool \`${path}\``), { name: 'UnknownTool' });
    }
    const options = { toolCallId: key, messages: [], abortSignal: abort.signal };
    const run = async () => settled(tool.value.execute(await prepare(tool.schema, input), options));
    const value = await context.run(store, run);
    const written = JSON.stringify(safe(value));
    if (written.length > largest) {
      const message = `the result has ${written.length} characters, ${largest} are the most`;
      throw Object.assign(new Error(message), { name: 'TooLarge' });
    }
    sendText(`{"id":${id},"ok":${written},"rss":${process.memoryUsage.rss()}}`);
  } catch (error) {
    answer(id, { error: failure(error) });
  } finally {
    running.delete(id);
    // What the call left running sees no secrets any more.
    store.env = Object.create(null);
  }
}

async function describing({ id }) {
  try {
    answer(id, { ok: safe(await describe(packageName, await tools())) });
  } catch (error) {
    answer(id, { error: failure(error) });
  }
}

function receive(line) {
  const message = JSON.parse(line);
  if (message.op === 'call') call(message);
  else if (message.op === 'describe') describing(message);
  else if (message.op === 'cancel') running.get(message.id)?.abort(new Error('the call was cancelled'));
  else if (message.op === 'ping') answer(message.id, { ok: null });
}

let pieces = [];
process.stdin.on('data', (bytes) => {
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    const line = Buffer.concat([...pieces, bytes.subarray(from, at)]).toString('utf8');
    pieces = [];
    from = at + 1;
    if (line) receive(line);
  }
  if (from < bytes.length) pieces.push(bytes.subarray(from));
});
process.stdin.on('end', () => leave(0));
