// What does the package really offer? Its module is loaded and looked at; what its
// package.json says is compared with that, and believed only as advice.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { jsonSchema } from './schema.mjs';

const MOST = 500;
const folderOf = (name) => new URL(`../node_modules/${name}/`, import.meta.url);

function manifest(name) {
  return JSON.parse(readFileSync(new URL('package.json', folderOf(name)), 'utf8'));
}

/** The places a module may be at when its package.json does not say so, or says it wrongly. */
function guesses(found) {
  const named = [];
  const collect = (entry) => {
    if (typeof entry === 'string' && /\.[cm]?js$/.test(entry)) named.push(entry);
    else if (entry && typeof entry === 'object') Object.values(entry).forEach(collect);
  };
  collect(found.exports);
  return [...named, found.module, found.main, 'dist/index.js', 'dist/index.mjs', 'dist/index.cjs', 'index.js', 'index.mjs']
    .filter((path) => typeof path === 'string');
}

const isUnresolved = (error) =>
  ['ERR_MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_UNSUPPORTED_DIR_IMPORT', 'MODULE_NOT_FOUND']
    .includes(error?.code);

async function importPackage(name) {
  let reason;
  try {
    return await import(name);
  } catch (error) {
    // A module that throws is broken, wherever it lies; only a missing one is looked for.
    if (!isUnresolved(error)) throw error;
    reason = error;
  }
  try {
    return createRequire(import.meta.url)(name);
  } catch (error) {
    if (!isUnresolved(error) && error?.code !== 'ERR_REQUIRE_ESM') throw error;
  }
  for (const path of guesses(manifest(name))) {
    try {
      return await import(new URL(path, folderOf(name)));
    } catch (error) {
      if (!isUnresolved(error)) throw error;
    }
  }
  throw reason;
}

const isTool = (value) => value !== null && typeof value === 'object' && typeof value.execute === 'function';

function isMapOfTools(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const parts = Object.values(value);
  return parts.length > 0 && parts.every(isTool);
}

/** Name → {value, schema}: every tool once, under the first name it is found by. */
export async function load(name) {
  const module = await importPackage(name);
  const listed = claims(manifest(name).tpmjs).map((claim) => claim.name);
  const found = new Map();
  const seen = new Set();
  const add = (path, value) => {
    if (seen.has(value) || found.has(path) || found.size >= MOST) return;
    seen.add(value);
    found.set(path, { value, schema: value.inputSchema ?? value.parameters ?? value.jsonSchema });
  };
  const look = (path, value) => {
    if (isTool(value)) add(path, value);
    else if (isMapOfTools(value)) for (const [key, part] of Object.entries(value)) add(key, part);
  };
  for (const [path, value] of named(module)) look(path, value);
  for (const [path, value] of named(module)) {
    if (typeof value === 'function' && listed.includes(path) && value.length === 0) {
      await attempt(async () => look(path, await value()));
    }
  }
  look('default', unwrap(module.default));
  return found;
}

/** A factory that fails offers nothing; `describe` notes that its name is missing. */
async function attempt(work) {
  try {
    await work();
  } catch (error) {
    console.error(error);
  }
}

/** A CommonJS module compiled from ESM has its own `default` inside the default export. */
const unwrap = (value) => (value?.__esModule && value.default ? value.default : value);

function named(module) {
  const own = Object.entries(module).filter(([name]) => name !== 'default' && name !== 'module.exports' && name !== '__esModule');
  const inner = module.default;
  const isCommon = inner && typeof inner === 'object' && !isTool(inner) && !isMapOfTools(inner);
  const more = isCommon ? Object.entries(inner).filter(([name]) => name !== 'default' && name !== '__esModule') : [];
  return [...new Map([...more, ...own])];
}

/** What package.json#tpmjs says of its tools, in all its forms, as {name, parameters, …}. */
function claims(field) {
  if (!field || typeof field !== 'object') return [];
  const list = Array.isArray(field.tools) ? field.tools : [field];
  return list
    .map((entry) => (typeof entry === 'string' ? { name: entry } : entry))
    .filter((entry) => entry && typeof entry === 'object')
    .map((entry) => ({ ...entry, name: entry.exportName ?? entry.name }));
}

function claimedParameters(claim) {
  const { parameters } = claim;
  if (Array.isArray(parameters)) return parameters.map((one) => one?.name).filter((one) => typeof one === 'string');
  return Object.keys(parameters?.properties ?? {});
}

function notesOn(path, claim, schema) {
  if (!claim) return [];
  const real = Object.keys(schema?.properties ?? {});
  return claimedParameters(claim)
    .filter((one) => schema && !real.includes(one))
    .map((one) => `package.json gives \`${path}\` a parameter \`${one}\`, which it does not take`);
}

async function converted(schema, require, notes, what) {
  if (schema === undefined || schema === null) return null;
  try {
    return await jsonSchema(schema, require);
  } catch (error) {
    notes.push(`${what} cannot be expressed as JSON Schema: ${error?.message ?? error}`);
    return null;
  }
}

/** {tools, notes, category}: all that is known without calling any. */
export async function describe(name, found) {
  const field = manifest(name).tpmjs;
  const require = createRequire(new URL('package.json', folderOf(name)));
  const listed = claims(field);
  const notes = [];
  for (const claim of listed) {
    if (claim.name && !found.has(claim.name)) notes.push(`package.json lists \`${claim.name}\`, which the module does not export as a tool`);
  }
  const tools = [];
  for (const [path, { value, schema }] of found) {
    const only = listed.length === 1 && found.size === 1 ? listed[0] : undefined;
    const claim = listed.find((one) => one.name === path) ?? only;
    const input = await converted(schema, require, notes, `the input of \`${path}\``);
    notes.push(...notesOn(path, claim, input));
    tools.push({
      export: path,
      title: typeof value.title === 'string' ? value.title : '',
      description: typeof value.description === 'string' ? value.description : '',
      inputSchema: input,
      outputSchema: await converted(value.outputSchema, require, notes, `the result of \`${path}\``),
      claims: {
        parameters: claim !== undefined && claim.parameters !== undefined,
        returns: claim?.returns !== undefined,
        guidance: claim?.aiAgent !== undefined,
      },
    });
  }
  return { tools, notes, category: typeof field?.category === 'string' ? field.category : '' };
}

