import fc from 'fast-check'
import { resolve, type Document, type Schema } from './document.ts'
import type { Pool } from './pool.ts'
import type { Random } from './random.ts'

/** Text that is known to break programs. */
export const naughty: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202etxet',
  '\ufeff',
  'null',
  'undefined',
  'NaN',
  'true',
  '-1',
  '0',
  '1e309',
  '9'.repeat(40),
  '../../../etc/passwd',
  "'; drop table contact; --",
  '" or ""="',
  '%',
  '%00',
  '%zz',
  '\\',
  '_',
  '${7*7}',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '__proto__',
  'constructor',
  'İıẞ',
  '👩‍👩‍👧‍👦',
  'Z̷̡͎͝a̷l̶g̸o̶',
  '田中さん',
  'x'.repeat(300),
  'x'.repeat(20_000),
  '2024-02-30T25:61:00Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '-infinity',
  'epoch',
  'kb_00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
]
const wrong: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e21,
  -1e-7,
  2 ** 31,
  2 ** 53,
  Number.MAX_VALUE,
  [],
  {},
  [[]],
  [null],
  { a: { b: [] } },
  { length: 1 },
  { toString: 1 },
]

/** Returns a value of any type. */
export const anything = (random: Random): unknown => (random.chance(0.5) ? random.pick(naughty) : random.pick(wrong))

/** Everything needed to generate values: schemas, random numbers, and values seen in responses. */
export interface GeneratorContext {
  readonly document: Document
  readonly random: Random
  readonly pool: Pool
  /** Nesting depth of the value. */
  readonly depth?: number
  /** Never uses examples of objects. */
  readonly withoutExamples?: boolean
}

/** Nesting depth below which only required fields are generated, since schemas can be recursive. */
const maxDepth = 4

/** Returns the prefix of the ids that a pattern matches; undefined if it is not an id pattern. */
export const prefixOf = ({ pattern }: Schema): string | undefined => /^\^\(\?:(\w+)_\)\?/.exec(pattern ?? '')?.[1]

/** Generates a value that the schema accepts, with a preference for its bounds. */
export function valueOf(given: Schema, context: GeneratorContext, field = ''): unknown {
  const { random, document } = context
  const schema = resolve(document, given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  const ways = schema.properties === undefined ? (schema.anyOf ?? schema.oneOf) : undefined
  if (ways !== undefined) return valueOf(random.pick(ways), context, field)
  if (takesExample(schema, context)) return exampleOf(schema, context)
  const type = typeof schema.type === 'string' || schema.type === undefined ? schema.type : random.pick(schema.type)
  if (type === 'string') return stringOf(schema, context, field)
  if (type === 'integer' || type === 'number') return numberOf(schema, random, type)
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'null') return null
  if (type === 'array') return arrayOf(schema, context, field)
  if (type === 'object') return objectOf(schema, context)
  return anything(random)
}

/**
 * Decides whether to use an example. More likely if the schema is looser than its description, such as for phone numbers and
 * future dates.
 */
function takesExample({ examples = [], pattern, type }: Schema, { random, withoutExamples }: GeneratorContext): boolean {
  if (examples.length === 0 || (withoutExamples && type !== 'string')) return false
  return random.chance(pattern === undefined ? 0.4 : 0.8)
}

/** Returns an example of the schema with ids seen in responses; sometimes with an additional field. */
function exampleOf({ examples = [], properties = {} }: Schema, context: GeneratorContext): unknown {
  const { random, pool } = context
  const example: unknown = JSON.parse(
    JSON.stringify(random.pick(examples)).replace(/([a-z]+)_[0-9a-f-]{36}/g, (id, prefix: string) => pool.draw(prefix, random) ?? id),
  )
  if (typeof example !== 'object' || example === null || Object.keys(properties).length === 0 || random.chance(0.4)) return example
  const [name, property] = random.pick(Object.entries(properties))
  return { ...example, [name]: valueOf(property, context, name) }
}

function arrayOf({ items = {}, minItems = 0, maxItems = 3 }: Schema, context: GeneratorContext, field: string): unknown[] {
  const length = context.random.chance(0.02) ? Math.min(maxItems, 200) : context.random.integer(minItems, Math.min(maxItems, minItems + 3))
  return Array.from({ length }, () => valueOf(items, context, field))
}

/** Generates an object with the fields of one alternative of each `oneOf` or `anyOf`. Leaves out mutually exclusive fields. */
function objectOf(schema: Schema, outer: GeneratorContext): Record<string, unknown> {
  const { properties = {}, additionalProperties, propertyNames, maxProperties = 3 } = schema
  const { random, depth = 0 } = outer
  const context = { ...outer, depth: depth + 1 }
  const rules = [schema, ...(schema.allOf ?? [])]
  const { required, left } = chosenFields(schema, rules, outer)
  const share = depth >= maxDepth ? 0 : random.pick([0.1, 0.5, 0.9])
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(properties))
    if (required.has(name) || (!left.has(name) && random.chance(share))) made[name] = valueOf(property, context, name)
  for (const { dependentRequired = {}, dependentSchemas = {} } of rules) {
    for (const [name, needed] of Object.entries(dependentRequired)) if (needed.some((other) => !(other in made))) delete made[name]
    for (const [name, { anyOf = [] }] of Object.entries(dependentSchemas)) {
      if (!(name in made) || anyOf.length === 0 || anyOf.some((way) => way.required?.every((other) => other in made))) continue
      for (const other of random.pick(anyOf).required ?? []) made[other] = valueOf(properties[other] ?? {}, context, other)
    }
  }
  if (typeof additionalProperties === 'object')
    for (let count = random.integer(0, Math.min(3, maxProperties)); count > 0; count -= 1) {
      const name = propertyNames === undefined ? `key ${random.integer(0, 9)}` : String(valueOf(propertyNames, context))
      made[name] = valueOf(additionalProperties, context)
    }
  return made
}

/** Chooses one alternative of each `oneOf` or `anyOf`; near the maximum depth, one that does not nest deeper. */
function chosenFields(
  { properties = {}, required = [] }: Schema,
  rules: readonly Schema[],
  { random, document, depth = 0 }: GeneratorContext,
) {
  const chosen = { required: new Set(required), left: new Set<string>() }
  const isShallow = (name: string): boolean => !['array', 'object'].includes(String(resolve(document, properties[name] ?? {}).type))
  for (const { anyOf, oneOf } of rules) {
    const ways = anyOf ?? oneOf ?? []
    const shallow = ways.filter((way) => way.required?.every(isShallow))
    if (ways.length === 0) continue
    const way = random.pick(depth >= maxDepth && shallow.length > 0 ? shallow : ways)
    for (const name of way.required ?? []) chosen.required.add(name)
    for (const name of (oneOf ?? []).flatMap((other) => other.required ?? [])) if (!chosen.required.has(name)) chosen.left.add(name)
  }
  return chosen
}

function stringOf(schema: Schema, { random, pool }: GeneratorContext, field: string): string {
  const prefix = prefixOf(schema)
  if (prefix !== undefined) return pool.draw(prefix, random) ?? `${prefix}_${uuid(random)}`
  if (schema.format === 'date-time') return momentOf(random)
  if (schema.format === 'uri') return `https://${random.pick(['www', 'docs', 'shop'])}.example.com/${random.integer(0, 999)}`
  if (schema.format === 'email' || schema.format === 'idn-email') return `a${random.integer(0, 30)}@example.com`
  const known = pool.draw(field === 'cursor' ? 'nextCursor' : field, random)
  if (known !== undefined && random.chance(0.7)) return known
  const { minLength = 0, maxLength = 60, pattern } = schema
  const length = random.chance(0.05) ? maxLength : random.integer(minLength, Math.min(maxLength, minLength + 12))
  const plain = Array.from({ length }, () => random.pick(letters)).join('')
  return pattern === undefined || new RegExp(pattern, 'u').test(plain) ? plain : matching(pattern, random)
}

const letters = Array.from('aaabcdefghijklmnopqrstuvwxyz 0123456789-_.,äß東😀')

function matching(pattern: string, random: Random): string {
  return fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: random.integer(0, 2 ** 31 - 1), numRuns: 1 })[0] ?? ''
}

const momentOf = (random: Random): string =>
  random.pick(['1970-01-01T00:00:00Z', '2026-05-25T20:14:00.000Z', '2026-05-25T22:14:00+02:00', '2099-12-31T23:59:59Z'])

const uuid = (random: Random): string => 'xxxxxxxx-xxxx-7xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, () => random.integer(0, 15).toString(16))

function numberOf({ minimum = -1000, maximum = 1000 }: Schema, random: Random, type: string): number {
  if (random.chance(0.3)) return random.pick([minimum, minimum, maximum])
  const within = minimum + random.next() * (Math.min(maximum, minimum + 1000) - minimum)
  return type === 'integer' ? Math.round(within) : within
}

/** Returns the value with one part replaced, removed or added. */
export function broken(value: unknown, context: GeneratorContext): unknown {
  const { random } = context
  if (typeof value !== 'object' || value === null || random.chance(0.1)) return anything(random)
  if (Array.isArray(value)) {
    if (value.length === 0 || random.chance(0.2)) return [...value, anything(random)]
    const at = random.integer(0, value.length - 1)
    return value.map((each, index) => (index === at ? broken(each, context) : each))
  }
  const entries = Object.entries(value)
  if (entries.length === 0 || random.chance(0.2)) return { ...value, [random.pick(['unknown', '__proto__', 'id', ''])]: anything(random) }
  const at = random.integer(0, entries.length - 1)
  if (random.chance(0.2)) return Object.fromEntries(entries.filter((_entry, index) => index !== at))
  return Object.fromEntries(entries.map(([name, each], index) => [name, index === at ? broken(each, context) : each]))
}
