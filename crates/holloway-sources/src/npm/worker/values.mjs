// How does what a tool returns become JSON, and what does it get as input? Whatever JSON
// has no words for is said in others, or refused with the reason.

const DEEPEST = 100;

/** A short text of anything at all; never throws. */
export function text(value, longest) {
  let said;
  try {
    said = typeof value === 'string' ? value : String(value);
  } catch {
    said = 'something that has no text';
  }
  return said.length > longest ? `${said.slice(0, longest)}…` : said;
}

/** The value in words of JSON. `undefined` becomes null. */
export function safe(value) {
  return convert(value, new Set(), 0) ?? null;
}

function convert(value, above, depth) {
  if (value === null) return null;
  switch (typeof value) {
    case 'string':
      return wellFormed(value);
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'bigint':
      return value.toString();
    case 'object':
      return convertObject(value, above, depth);
    default:
      return undefined;
  }
}

/** Half a surrogate pair is no text, and no reader of JSON need take it. */
const wellFormed = (said) => (said.isWellFormed() ? said : said.toWellFormed());

function convertObject(value, above, depth) {
  if (above.has(value)) throw new TypeError('the result refers to itself');
  if (depth > DEEPEST) throw new TypeError(`the result is nested deeper than ${DEEPEST} levels`);
  above.add(value);
  try {
    return parts(value, (part) => convert(part, above, depth + 1));
  } finally {
    above.delete(value);
  }
}

function parts(value, inner) {
  if (value instanceof Error) return { name: String(value.name), message: String(value.message) };
  if (value instanceof Map) return fields([...value].map(([key, part]) => [String(key), part]), inner);
  if (value instanceof Set) return [...value].map((part) => inner(part) ?? null);
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
  if (value instanceof ArrayBuffer) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return Array.from(value, (part) => inner(part) ?? null);
  if (typeof value.toJSON === 'function') return inner(value.toJSON());
  return fields(Object.entries(value), inner);
}

function fields(entries, inner) {
  const result = Object.create(null);
  for (const [key, part] of entries) {
    const converted = inner(part);
    if (converted !== undefined) result[wellFormed(key)] = converted;
  }
  return result;
}

/**
 * Holloway has validated the input; a schema of the package may still fill in defaults or
 * change the form of values, on which its `execute` relies.
 */
export async function prepare(schema, input) {
  const parse = schema?.safeParseAsync ?? schema?.validate;
  if (typeof parse !== 'function') return input;
  const parsed = await parse.call(schema, input);
  if (parsed?.success !== true) return input;
  return 'data' in parsed ? parsed.data : parsed.value;
}
