import { Event, type EventType } from '@groundwork/api'
import { z } from 'zod'

/** The record schema of each event type. */
const recordSchemas = new Map<string, z.ZodObject>(
  Event.options.flatMap((option) => option.shape.type.options.map((type): [EventType, z.ZodObject] => [type, option.shape.data])),
)

/** Returns the data of a stored event with null in place of nullable fields that the record did not have then. */
export function withMissingNulls(type: string, data: unknown): unknown {
  const schema = recordSchemas.get(type)
  return schema === undefined ? data : fillNulls(schema, data)
}

function fillNulls(schema: unknown, value: unknown): unknown {
  const inner = unwrap(schema)
  if (inner instanceof z.ZodArray && Array.isArray(value)) return value.map((each) => fillNulls(inner.element, each))
  if (!(inner instanceof z.ZodObject) || !isObject(value)) return value
  const fields = Object.entries<unknown>(inner.shape).flatMap(([name, field]): [string, unknown][] => {
    if (name in value) return [[name, fillNulls(field, value[name])]]
    return canBeAbsent(field) || !accepts(field, null) ? [] : [[name, null]]
  })
  return { ...value, ...Object.fromEntries(fields) }
}

/** Fields without content. They stay visible after the record is deleted. */
const plainFields = new Set(['id', 'baseId', 'contactId', 'type', 'status', 'totalAmount', 'currency', 'createdAt', 'updatedAt'])
/** Values that replace hidden content: the first one that the field's schema accepts, unless the field can be absent. */
const emptyValues = [null, [], {}, '']

/**
 * Returns the data of an event about a deleted record: ids, states, numbers and times. Removes text, lists and everything else
 * that may be absent, so that fields added later are hidden too.
 */
export function withoutContent(type: string, data: unknown): unknown {
  const schema = recordSchemas.get(type)
  if (schema === undefined || !isObject(data)) return {}
  const shown = Object.entries<unknown>(schema.shape).flatMap(([name, field]): [string, unknown][] => {
    if (plainFields.has(name)) return [[name, data[name]]]
    if (canBeAbsent(field)) return []
    const at = emptyValues.findIndex((value) => accepts(field, value))
    return [[name, at === -1 ? data[name] : emptyValues[at]]]
  })
  return Object.fromEntries(shown)
}

/** Unlike `accepts`, this is false for `z.unknown()`, which accepts undefined as the value of a required field. */
const canBeAbsent = (field: unknown): boolean => field instanceof z.ZodType && z.object({ field }).safeParse({}).success

const accepts = (schema: unknown, value: unknown): boolean => schema instanceof z.ZodType && schema.safeParse(value).success

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The schema beneath `.nullable()`, `.optional()` and `.default()`. */
function unwrap(schema: unknown): unknown {
  const isWrapper = schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault
  return isWrapper ? unwrap(schema.unwrap()) : schema
}
