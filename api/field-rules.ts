import { z } from 'zod'

/**
 * Rules between the fields of an object. Each is checked by the schema and said by its JSON Schema, so that the document
 * tells what the program checks. Apply them before `meta({ id })`, which has to come last.
 */

type Fields = Readonly<Record<string, unknown>>
interface Fault {
  readonly field: string
  readonly message: string
}

/** Neither of these counts as given: null clears a field, and an empty list names nothing. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
const given = { not: { enum: [null, []] } }

const having = (names: readonly string[], schema: object = {}): object => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, schema])),
})

/** Wants all the fields of at least one of the ways. */
export const someOf = <S extends z.ZodType>(schema: S, ways: readonly (readonly string[])[], fault: Fault): S =>
  withRule(schema, { anyOf: ways.map((names) => having(names, given)) }, (fields) =>
    ways.some((names) => names.every((name) => isGiven(fields[name]))) ? [] : [fault],
  )

/** Wants one of the fields, and no second one. */
export const exactlyOne = <S extends z.ZodType>(schema: S, names: readonly [string, ...string[]], missing: Fault): S =>
  withRule(schema, { oneOf: names.map((name) => having([name])) }, (fields) => {
    const [first, ...others] = names.filter((name) => fields[name] !== undefined)
    return first === undefined ? [missing] : others.map((field) => ({ field, message: `does not go with ${first}` }))
  })

/** Allows fields beside another one only. */
export const onlyWith = <S extends z.ZodType>(schema: S, needed: string, names: readonly string[]): S =>
  withRule(schema, { dependentRequired: Object.fromEntries(names.map((name) => [name, [needed]])) }, (fields) =>
    fields[needed] !== undefined
      ? []
      : names.filter((name) => fields[name] !== undefined).map((field) => ({ field, message: `goes with ${needed} only` })),
  )

/** Wants at least one of the fields beside another one. */
export const someWith = <S extends z.ZodType>(schema: S, field: string, names: readonly string[]): S =>
  withRule(schema, { dependentSchemas: { [field]: { anyOf: names.map((name) => having([name])) } } }, (fields) =>
    fields[field] === undefined || names.some((name) => fields[name] !== undefined)
      ? []
      : [{ field, message: `needs at least one of ${names.join(', ')}` }],
  )

/** Refuses a field beside another one. */
export const notWith = <S extends z.ZodType>(schema: S, other: string, { field, message }: Fault): S =>
  withRule(schema, { not: having([other, field]) }, (fields) =>
    fields[other] !== undefined && fields[field] !== undefined ? [{ field, message }] : [],
  )

/** Adds JSON Schema to the document that follows from checks which are made elsewhere. */
export const documented = <S extends z.ZodType>(schema: S, rule: object): S => {
  const { allOf = [] } = (z.globalRegistry.get(schema) ?? {}) as { allOf?: object[] }
  return schema.meta({ allOf: [...allOf, rule] })
}

function withRule<S extends z.ZodType>(schema: S, rule: object, faultsOf: (fields: Fields) => Fault[]): S {
  const checked = schema.superRefine((value, check) => {
    for (const { field, message } of faultsOf(value as Fields)) check.addIssue({ code: 'custom', path: [field], message })
  })
  return documented(checked, rule)
}
