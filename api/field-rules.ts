import { z } from 'zod'

/**
 * Rules between the fields of an object. Each is part of the schema's validation and of its JSON Schema, so the OpenAPI document
 * states it. Apply them before `meta({ id })`, which has to come last.
 */

type Fields = Readonly<Record<string, unknown>>
interface Fault {
  readonly field: string
  readonly message: string
}

/** Null and an empty list do not count as given: null clears a field, and an empty list has no effect. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
const given = { not: { enum: [null, []] } }

const having = (names: readonly string[], schema: object = {}): object => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, schema])),
})

/** Requires all fields of at least one of the groups. */
export const someOf = <S extends z.ZodType>(schema: S, ways: readonly (readonly string[])[], fault: Fault): S =>
  withRule(schema, { anyOf: ways.map((names) => having(names, given)) }, (fields) =>
    ways.some((names) => names.every((name) => isGiven(fields[name]))) ? [] : [fault],
  )

/** Requires exactly one of the fields. */
export const exactlyOne = <S extends z.ZodType>(schema: S, names: readonly [string, ...string[]], missing: Fault): S =>
  withRule(schema, { oneOf: names.map((name) => having([name])) }, (fields) => {
    const [first, ...others] = names.filter((name) => fields[name] !== undefined)
    return first === undefined ? [missing] : others.map((field) => ({ field, message: `cannot be combined with ${first}` }))
  })

/** Allows fields only together with another one. */
export const onlyWith = <S extends z.ZodType>(schema: S, needed: string, names: readonly string[]): S =>
  withRule(schema, { dependentRequired: Object.fromEntries(names.map((name) => [name, [needed]])) }, (fields) =>
    fields[needed] !== undefined
      ? []
      : names.filter((name) => fields[name] !== undefined).map((field) => ({ field, message: `is only allowed together with ${needed}` })),
  )

/** Requires at least one of the fields if another one is given. */
export const someWith = <S extends z.ZodType>(schema: S, field: string, names: readonly string[]): S =>
  withRule(schema, { dependentSchemas: { [field]: { anyOf: names.map((name) => having([name])) } } }, (fields) =>
    fields[field] === undefined || names.some((name) => fields[name] !== undefined)
      ? []
      : [{ field, message: `requires at least one of ${names.join(', ')}` }],
  )

/** Rejects two fields that are both given. Null does not count as given. */
export const notBoth = <S extends z.ZodType>(schema: S, other: string, { field, message }: Fault): S =>
  withRule(schema, { not: having([other, field], given) }, (fields) =>
    isGiven(fields[other]) && isGiven(fields[field]) ? [{ field, message }] : [],
  )

/** Allows fields only if another one is given. Null does not count as given. */
export const onlyIfGiven = <S extends z.ZodType>(schema: S, needed: string, names: readonly string[]): S =>
  withRule(schema, { anyOf: [having([needed], given), { not: { anyOf: names.map((name) => having([name], given)) } }] }, (fields) =>
    isGiven(fields[needed])
      ? []
      : names.filter((name) => isGiven(fields[name])).map((field) => ({ field, message: `is only allowed together with ${needed}` })),
  )

/** Allows fields together with one of `others`, even null, only if `needed` is given. */
export const neededBeside = <S extends z.ZodType>(schema: S, needed: string, names: readonly string[], others: readonly string[]): S =>
  withRule(
    schema,
    {
      anyOf: [
        having([needed], given),
        { not: { anyOf: names.map((name) => having([name], given)) } },
        { not: { anyOf: others.map((name) => having([name])) } },
      ],
    },
    (fields) =>
      isGiven(fields[needed]) || others.every((name) => fields[name] === undefined)
        ? []
        : names.filter((name) => isGiven(fields[name])).map((field) => ({ field, message: `is only allowed together with ${needed}` })),
  )

/** Rejects a field together with another one. */
export const notWith = <S extends z.ZodType>(schema: S, other: string, { field, message }: Fault): S =>
  withRule(schema, { not: having([other, field]) }, (fields) =>
    fields[other] !== undefined && fields[field] !== undefined ? [{ field, message }] : [],
  )

/** Adds JSON Schema for checks that are made elsewhere. */
export const documented = <S extends z.ZodType>(schema: S, rule: object): S => {
  const { allOf = [] } = (z.globalRegistry.get(schema) ?? {}) as { allOf?: object[] }
  return schema.meta({ allOf: [...allOf, rule] })
}

/** Adds a rule as JSON Schema and as a check. Both must accept the same values. */
export function withRule<S extends z.ZodType>(schema: S, rule: object, faultsOf: (fields: Fields) => Fault[]): S {
  const checked = schema.superRefine((value, check) => {
    for (const { field, message } of faultsOf(value as Fields)) check.addIssue({ code: 'custom', path: [field], message })
  })
  return documented(checked, rule)
}
