import { fieldMessage } from '../../lib/field-errors.ts'
import { messagesOf } from '../../messages/messages.ts'
import { importMessages } from './messages.ts'

type Problem = keyof (typeof importMessages)['en']['rowProblems']

/** Problems of a whole row, by the words of the API. */
const problems: readonly (readonly [RegExp, Problem])[] = [
  [/^several contacts/, 'ambiguous'],
  [/^an earlier row|^row \d+ has the same/, 'repeated'],
  [/exists already/, 'exists'],
  [/^there is no such contact/i, 'unknown'],
  [/^another contact has this externalId/i, 'taken'],
  [/repeats the header/, 'header'],
  [/^has \d+ cells, but/, 'wide'],
  [/erased/, 'erased'],
]

/** Returns what is wrong with a row of the file and how to correct it. @param label the label of its field; empty for the whole row */
export function rowProblem(field: string, message: string, label: string): string {
  const { rowProblems } = messagesOf(importMessages)
  const [, problem] = problems.find(([pattern]) => pattern.test(message)) ?? []
  if (problem !== undefined) return rowProblems[problem]
  const text = fieldMessage({ field, message })
  return label === '' ? text : `${label}: ${text}`
}
