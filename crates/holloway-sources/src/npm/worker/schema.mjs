// Which JSON Schema does a tool's own schema stand for? Wrappers of the AI SDK, zod 3 and
// 4, valibot, anything that speaks Standard JSON Schema, or JSON Schema as it is.

import { pathToFileURL } from 'node:url';

const WRAPPER = Symbol.for('vercel.ai.schema');
const DEEPEST = 64;

/** Throws what stands in the way, in words. `require` finds modules as the package does. */
export async function jsonSchema(schema, require) {
  if (typeof schema === 'function' && !schema['~standard']) return jsonSchema(await schema(), require);
  if (schema === null || !['object', 'function'].includes(typeof schema)) throw new TypeError('it is no schema');
  if (schema[WRAPPER] || ('jsonSchema' in schema && 'validate' in schema)) {
    const inner = schema.jsonSchema;
    return plain(await (typeof inner === 'function' ? inner() : inner));
  }
  if (schema._zod) return zod4(schema, require);
  if (schema._def?.typeName) return fromZod(schema, 0);
  if (schema.kind === 'schema' && schema['~standard']) return fromValibot(schema, 0);
  if (schema['~standard']) return standard(schema) ?? unknown(schema['~standard'].vendor);
  return plain(schema);
}

function unknown(what) {
  throw new TypeError(`schemas of ${what ?? 'this kind'} are not understood`);
}

function plain(schema) {
  const words = ['type', 'properties', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum', 'const', '$schema'];
  if (schema && typeof schema === 'object' && !Array.isArray(schema)) {
    if (Object.keys(schema).length === 0 || words.some((word) => word in schema)) return schema;
  }
  return unknown();
}

const standard = (schema) => schema['~standard'].jsonSchema?.input?.({ target: 'draft-07' });

/** zod 4 converts its schemas itself, if the package can reach it; else we know its shapes. */
async function zod4(schema, require) {
  // Descriptions are kept by the copy of zod that made the schema, which may be another one.
  const override = ({ zodSchema, jsonSchema: written }) => {
    if (typeof zodSchema.description === 'string') written.description ??= zodSchema.description;
  };
  const options = { target: 'draft-7', io: 'input', unrepresentable: 'any', override };
  for (const name of ['zod', 'zod/v4']) {
    try {
      const module = await import(pathToFileURL(require.resolve(name)));
      const convert = [module, module.z, module.default].find((part) => part?.toJSONSchema)?.toJSONSchema;
      if (convert) return convert(schema, options);
    } catch {
      // Another copy of zod, or none: the next way may work.
    }
  }
  return fromZod(schema, 0);
}

const definition = (schema) => schema._def ?? schema._zod?.def ?? {};

/** `ZodString` and `string` are the same to us. */
function kind(schema) {
  const { typeName, type } = definition(schema);
  return typeName ? typeName.replace(/^Zod/, '').replace(/^./, (letter) => letter.toLowerCase()) : type;
}

function fromZod(schema, depth) {
  if (depth > DEEPEST) throw new TypeError(`it is nested deeper than ${DEEPEST} levels`);
  const convert = CONVERTERS[kind(schema)];
  if (!convert) return unknown(`zod's kind \`${kind(schema)}\``);
  const result = convert(definition(schema), (inner) => fromZod(inner, depth + 1), schema);
  const description = schema.description ?? definition(schema).description;
  return typeof description === 'string' ? { ...result, description } : result;
}

const inner = (of) => (definition, go) => go(definition[of]);
const OPTIONAL = new Set(['optional', 'default', 'prefault', 'catch', 'any', 'unknown']);

/** May the key be left out of what goes in? */
function mayBeMissing(schema) {
  const name = kind(schema);
  if (OPTIONAL.has(name)) return true;
  const through = { nullable: 'innerType', readonly: 'innerType', effects: 'schema', pipe: 'in' }[name];
  return through ? mayBeMissing(definition(schema)[through]) : false;
}

function object(definition, go) {
  const shape = typeof definition.shape === 'function' ? definition.shape() : definition.shape;
  const entries = Object.entries(shape ?? {});
  const required = entries.filter(([, part]) => !mayBeMissing(part)).map(([name]) => name);
  const result = { type: 'object', properties: Object.fromEntries(entries.map(([name, part]) => [name, go(part)])) };
  if (required.length > 0) result.required = required;
  return definition.unknownKeys === 'passthrough' ? result : { ...result, additionalProperties: false };
}

const STRING_FORMATS = { email: 'email', url: 'uri', uuid: 'uuid', datetime: 'date-time', date: 'date', time: 'time' };

function string({ checks = [] }) {
  const result = { type: 'string' };
  for (const { kind, value, regex } of checks) {
    if (kind === 'min' || kind === 'length') result.minLength = value;
    if (kind === 'max' || kind === 'length') result.maxLength = value;
    if (kind === 'regex') result.pattern = regex.source;
    if (STRING_FORMATS[kind]) result.format = STRING_FORMATS[kind];
  }
  return result;
}

function number({ checks = [] }) {
  const result = { type: checks.some(({ kind }) => kind === 'int') ? 'integer' : 'number' };
  for (const { kind, value, inclusive } of checks) {
    if (kind === 'min') result[inclusive ? 'minimum' : 'exclusiveMinimum'] = value;
    if (kind === 'max') result[inclusive ? 'maximum' : 'exclusiveMaximum'] = value;
    if (kind === 'multipleOf') result.multipleOf = value;
  }
  return result;
}

function array(definition, go) {
  const element = definition.element ?? definition.type;
  const result = { type: 'array', items: go(element) };
  const { minLength, maxLength, exactLength } = definition;
  const least = exactLength ?? minLength;
  const most = exactLength ?? maxLength;
  if (least) result.minItems = least.value;
  if (most) result.maxItems = most.value;
  return result;
}

function withDefault(definition, go) {
  const value = typeof definition.defaultValue === 'function' ? definition.defaultValue() : definition.defaultValue;
  return { ...go(definition.innerType), default: value };
}

const union = ({ options }, go) => ({ anyOf: [...(options.values?.() ?? options)].map(go) });
const values = (list) => ({ enum: [...list] });

const CONVERTERS = {
  object,
  string,
  number,
  array,
  union,
  discriminatedUnion: union,
  boolean: () => ({ type: 'boolean' }),
  null: () => ({ type: 'null' }),
  bigInt: () => ({ type: 'integer' }),
  bigint: () => ({ type: 'integer' }),
  date: () => ({ type: 'string', format: 'date-time' }),
  any: () => ({}),
  unknown: () => ({}),
  never: () => ({ not: {} }),
  enum: ({ values: list, entries }) => values(list ?? Object.values(entries)),
  nativeEnum: ({ values: list }) => values(Object.values(list)),
  literal: ({ value, values: list }) => (list ? values(list) : { const: value }),
  optional: inner('innerType'),
  nullable: (definition, go) => ({ anyOf: [go(definition.innerType), { type: 'null' }] }),
  default: withDefault,
  prefault: withDefault,
  catch: inner('innerType'),
  readonly: inner('innerType'),
  branded: inner('type'),
  effects: inner('schema'),
  pipeline: inner('in'),
  pipe: inner('in'),
  transform: () => ({}),
  lazy: (definition, go) => go(definition.getter()),
  record: ({ valueType }, go) => ({ type: 'object', additionalProperties: go(valueType) }),
  tuple: ({ items }, go) => ({ type: 'array', items: items.map(go), minItems: items.length, maxItems: items.length }),
  intersection: ({ left, right }, go) => ({ allOf: [left, right].map(go).map(open) }),
};

/** Of two objects that must both fit, neither may forbid the keys of the other. */
function open({ additionalProperties, ...rest }) {
  return additionalProperties === false ? rest : { additionalProperties, ...rest };
}

function fromValibot(schema, depth) {
  if (depth > DEEPEST) throw new TypeError(`it is nested deeper than ${DEEPEST} levels`);
  const go = (part) => fromValibot(part, depth + 1);
  const optional = (part) => ['optional', 'nullish', 'undefinedable'].includes(part.type);
  switch (schema.type) {
    case 'object':
    case 'loose_object':
    case 'strict_object': {
      const entries = Object.entries(schema.entries);
      return {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, part]) => [name, go(part)])),
        required: entries.filter(([, part]) => !optional(part)).map(([name]) => name),
      };
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type: schema.type };
    case 'array':
      return { type: 'array', items: go(schema.item) };
    case 'record':
      return { type: 'object', additionalProperties: go(schema.value) };
    case 'picklist':
    case 'enum':
      return values(schema.options);
    case 'literal':
      return { const: schema.literal };
    case 'optional':
    case 'undefinedable':
      return go(schema.wrapped);
    case 'nullable':
    case 'nullish':
      return { anyOf: [go(schema.wrapped), { type: 'null' }] };
    case 'union':
      return { anyOf: schema.options.map(go) };
    case 'any':
    case 'unknown':
      return {};
    default:
      return unknown(`valibot's kind \`${schema.type}\``);
  }
}
