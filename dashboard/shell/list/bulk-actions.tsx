import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { isSignedOut, messageOf, ShownError, worded, type Refusals } from '../../lib/errors.ts'
import { whileLeaving } from '../../lib/session.ts'
import { listsMessages } from '../../messages/lists.ts'
import { messagesOf, useMessages } from '../../messages/messages.ts'
import { useConfirm, type Question } from '../confirm.tsx'
import { notifyError, notifySuccess } from '../notify.tsx'
import { SelectionActions } from './selection-actions.tsx'

/** An action on selected rows, with one request for each row. */
export interface BulkAction<T> {
  label: string
  /** Returns whether the row can have the action. Other rows are left out. */
  appliesTo?: (row: T) => boolean
  run: (row: T) => Promise<unknown>
  /** Asked first, for actions that cannot be undone or that reach a client. */
  question?: (rows: readonly T[]) => Question
  /** The notification on success. */
  done: (count: number) => string
  /** Messages by error code of refusals. */
  refusals?: Refusals
  isDangerous?: boolean
}

const maxNames = 3

/** Returns the first names of a selection, for the question before an action. */
export function namesIn(names: readonly string[]): string {
  const { andMore } = messagesOf(listsMessages)
  const shown = names.slice(0, maxNames).map((name) => `“${name}”`)
  return (names.length > maxNames ? [...shown, andMore(names.length - maxNames)] : shown).join(', ')
}

interface BulkActionsProps<T> {
  rows: readonly T[]
  nameOf: (row: T) => string
  actions: readonly BulkAction<T>[]
  /** The keys of the queries that the actions make stale. */
  invalidates: readonly QueryKey[]
  onDone: () => void
}

/** The buttons of the actions that selected rows can have. */
export function BulkActions<T>({ rows, nameOf, actions, invalidates, onDone }: BulkActionsProps<T>) {
  const messages = useMessages(listsMessages)
  const confirm = useConfirm()
  const queries = useQueryClient()
  const [running, setRunning] = useState<string>()
  const start = async (action: BulkAction<T>, applicable: readonly T[]): Promise<void> => {
    if (action.question !== undefined && !(await confirm(action.question(applicable)))) return
    setRunning(action.label)
    await runEach(applicable, nameOf, action)
    setRunning(undefined)
    // With the notification, before the list is read again: later, it would also clear a newer selection.
    onDone()
    await Promise.all(invalidates.map((queryKey) => queries.invalidateQueries({ queryKey })))
  }
  const shown = actions.flatMap((action) => {
    const { label, appliesTo = () => true, isDangerous = false } = action
    const applicable = rows.filter(appliesTo)
    if (applicable.length === 0) return []
    return {
      id: label,
      label: applicable.length === rows.length ? label : messages.someOf(label, applicable.length),
      isDangerous,
      onClick: () => void start(action, applicable),
    }
  })
  return <SelectionActions actions={shown} running={running} />
}

const maxConcurrent = 4

/**
 * Runs the action for each row, a few at a time, and reports the result: the number of rows, and the names of those that failed. After
 * the end of the session, it does not end: sign-in is opening, and the dialog of the action stays with what was typed.
 */
export async function runEach<T>(
  rows: readonly T[],
  nameOf: (row: T) => string,
  { run, done, refusals = {} }: Pick<BulkAction<T>, 'run' | 'done' | 'refusals'>,
): Promise<void> {
  const waiting = [...rows]
  const failures: { name: string; error: unknown }[] = []
  const work = async (): Promise<void> => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      try {
        await run(row)
      } catch (error) {
        if (isSignedOut(error)) return whileLeaving()
        failures.push({ name: nameOf(row), error: worded(error, refusals) })
      }
    }
  }
  await Promise.all(Array.from({ length: maxConcurrent }, work))
  const [first] = failures
  if (failures.length < rows.length) notifySuccess(done(rows.length - failures.length))
  if (first === undefined) return
  const { someFailed } = messagesOf(listsMessages)
  const names = failures.map(({ name }) => name)
  notifyError(new ShownError(someFailed(messageOf(first.error), names), { cause: first.error }))
}
