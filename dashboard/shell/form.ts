import type { UseMutationResult } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { draftIdOf, readDraft, writeDraft } from '../lib/drafts.ts'
import { errorAt, fieldErrors } from '../lib/field-errors.ts'
import { isLeavingForSignIn } from '../lib/session.ts'
import { formMessages } from '../messages/form.ts'
import { useMessages } from '../messages/messages.ts'
import { useConfirm } from './confirm.tsx'

/** The values of a form and the validation errors of its last submission. */
export interface Form<T extends object> {
  values: T
  set: <K extends keyof T>(name: K, value: T[K]) => void
  /** Props of a field whose `onChange` passes the value. @param path the API path, if it differs from the name */
  field: <K extends keyof T & string>(name: K, path?: string) => Field<T[K], T[K]>
  /** Props of a field whose `onChange` passes an event, such as TextInput. */
  text: <K extends keyof T & string>(name: K) => Field<T[K], { currentTarget: { value: T[K] } }>
  flag: <K extends keyof T & string>(name: K) => Flag<T[K]>
  /** Returns the error of a field by its API path. Editing the field clears the error. */
  errorOf: (path: string) => string | undefined
  /** Shows the validation errors of a failed submission. */
  refuse: (error: unknown) => void
  reset: (values?: T) => void
  changed: boolean
  /** Lets the user leave without a question while a submission is under way, until it is refused or the form is edited again. */
  sending: () => void
}

interface Field<V, E> {
  value: V
  onChange: (valueOrEvent: E) => void
  error: string | undefined
}

interface Flag<V> {
  checked: V
  onChange: (event: { currentTarget: { checked: V } }) => void
}

/**
 * @param initial the initial values, named like the API fields, so that errors match their fields
 * @param label identifies the form’s draft on its page, for a form whose initial values change with time
 */
export function useForm<T extends object>(initial: T, label?: string): Form<T> {
  const [draft] = useState(() => draftIdOf(initial, label))
  const [start, setStart] = useState(initial)
  const [values, setValues] = useState(() => readDraft(draft, initial))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const changed = JSON.stringify(values) !== JSON.stringify(start)
  const asks = useRef(true)
  useLeaveGuard(changed, asks)
  useDraft(draft, changed ? values : undefined)
  const set: Form<T>['set'] = (name, value) => {
    asks.current = true
    setValues((before) => ({ ...before, [name]: value }))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([path]) => path.split('.').every((part) => part !== name))))
  }
  return {
    values,
    set,
    field: (name, path = name) => ({ value: values[name], onChange: (value) => set(name, value), error: errorAt(errors, path) }),
    text: (name) => ({
      value: values[name],
      onChange: ({ currentTarget }) => set(name, currentTarget.value),
      error: errorAt(errors, name),
    }),
    flag: (name) => ({ checked: values[name], onChange: ({ currentTarget }) => set(name, currentTarget.checked) }),
    errorOf: (path) => errorAt(errors, path),
    refuse(error) {
      asks.current = true
      setErrors(fieldErrors(error))
    },
    sending() {
      asks.current = false
    },
    reset(next = start) {
      asks.current = false
      setStart(next)
      setValues(next)
      setErrors({})
      // A page load that follows can come before the effect.
      writeDraft(draft, undefined)
    },
    changed,
  }
}

/** Keeps the values as a draft until the component is removed. @param values undefined if they are those at the start */
export function useDraft(id: string | undefined, values: object | undefined): void {
  useEffect(() => writeDraft(id, values), [id, values])
  // Not called when the page is left for a reload, after which the draft is needed as after sign-in.
  useEffect(
    () => () => {
      if (!isLeavingForSignIn()) writeDraft(id, undefined)
    },
    [id],
  )
}

/** Asks before the page is left with the text of a field that is not saved. */
export const useUnsavedText = (changed: boolean): void => useLeaveGuard(changed, useRef(true))

/** Returns whether the focus has moved to a dialog: that of the question, whose answer decides on the text. */
export const isInDialog = (focused: EventTarget | null): boolean => focused instanceof Element && focused.closest('[role=dialog]') !== null

/** Asks before the page is left with changes that are not saved. */
function useLeaveGuard(changed: boolean, asks: RefObject<boolean>): void {
  const confirm = useConfirm()
  const { discard } = useMessages(formMessages)
  useBlocker({
    disabled: !changed,
    shouldBlockFn: async () => asks.current && !(await confirm(discard)),
    enableBeforeUnload: () => asks.current && !isLeavingForSignIn(),
  })
}

/** Returns a function that closes the dialog of a form, after a question if it has changes. */
export function useDiscard(form: Discardable | undefined, onClose: () => void): { close: () => void; isAsking: boolean } {
  const confirm = useConfirm()
  const { discard } = useMessages(formMessages)
  const [isAsking, setAsking] = useState(false)
  const close = async (): Promise<void> => {
    if (form?.changed === true) {
      setAsking(true)
      const isDiscarded = await confirm(discard)
      setAsking(false)
      if (!isDiscarded) return
    }
    form?.reset()
    onClose()
  }
  return { close: () => void close(), isAsking }
}

export interface Discardable {
  changed: boolean
  reset: () => void
}

/** Returns the props that submit a form with a mutation and show validation errors at the fields. */
export const sentBy = <O, T extends object>(form: Form<T>, change: UseMutationResult<O, Error, T>) => ({
  form,
  onSubmit: (): void => {
    form.sending()
    change.mutate(form.values, { onError: form.refuse })
  },
  busy: change.isPending,
  error: change.error,
})
