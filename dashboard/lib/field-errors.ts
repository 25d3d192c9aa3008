import { GroundworkError } from '@groundwork/sdk'
import { ShownError } from './errors.ts'
import { fieldMessages } from '../messages/fields.ts'
import { sharedMessages } from '../messages/shared.ts'
import { messagesOf } from '../messages/messages.ts'

/** A problem of one field, in the words of the API. */
interface Problem {
  /** The path of the field, such as `ragSettings.chunkSize`. */
  field: string
  message: string
}

/** The limits in messages of the API: `must have at most 200 characters`. */
const limit = /\b(?:be|have|of) at (most|least) (\d[\d.]*)(?: (character|item|tag)s?)?$/

/** Returns what is wrong with a field and how to correct it, for users. @param taken whether the value is used by another record */
export function fieldMessage({ field, message }: Problem, taken = false): string {
  const words = messagesOf(fieldMessages)
  const { required } = messagesOf(sharedMessages).errors
  const names = field.split('.').filter((part) => !/^\d+$/.test(part))
  // The innermost known name decides: `items.0.quantityRange.max` is about the range.
  const inTable = (table: Readonly<Record<string, string>>): string | undefined =>
    names.map((name) => table[name]).findLast((text) => text !== undefined)
  const predicate = message.startsWith(`${field} `) ? message.slice(field.length + 1) : message
  if (taken) return inTable(words.taken) ?? words.takenOther
  if (predicate === 'is required' || predicate === 'must not be empty') return required
  if (predicate.startsWith('is required')) return inTable(words.needed) ?? required
  const [, side, value = '', unit = 'number'] = limit.exec(predicate) ?? []
  if (side === 'least' && value === '1' && unit !== 'number') return unit === 'item' ? words.chooseOne : required
  if (side === undefined) return inTable(words.invalid) ?? words.invalidOther
  return words[side === 'most' ? 'most' : 'least'][unit === 'character' ? 'characters' : unit === 'number' ? 'number' : 'items'](
    Number(value),
  )
}

/** Returns whether a path is that of a field, or of an item of its list: `tags` and `tags.3`, but not `items.0.quantity` for `items`. */
export const isAtField = (path: string, field: string): boolean =>
  path === field || (path.startsWith(`${field}.`) && /^\d+$/.test(path.slice(field.length + 1)))

/** Returns the error of a field, or of the first invalid item of its list. */
export const errorAt = (errors: Readonly<Record<string, string>>, field: string): string | undefined =>
  errors[field] ?? Object.entries(errors).find(([path]) => isAtField(path, field))?.[1]

/** Returns the error message of each field by its API path, such as `ragSettings.chunkSize`. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (error instanceof ShownError) return error.field === undefined ? {} : { [error.field]: error.message }
  if (!(error instanceof GroundworkError)) return {}
  const taken = error.code === 'conflict'
  const problems: Problem[] = [...error.issues]
  if (error.field !== undefined && error.issues.length === 0) problems.push({ field: error.field, message: error.message })
  return Object.fromEntries(problems.toReversed().map((problem) => [problem.field, fieldMessage(problem, taken)]))
}
