import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../lib/errors.ts'

/** What is typed into a form, and what the service said of it at last. */
export interface Form<T extends object> {
  values: T
  set: <K extends keyof T>(name: K, value: T[K]) => void
  /** For a field whose `onChange` gives the value. @param path in the contract, where it is not the name */
  field: <K extends keyof T & string>(name: K, path?: string) => Field<T[K], T[K]>
  /** For a field whose `onChange` gives an event, such as a TextInput. */
  text: <K extends keyof T & string>(name: K) => Field<T[K], { currentTarget: { value: T[K] } }>
  flag: <K extends keyof T & string>(name: K) => Flag<T[K]>
  /** What is wrong with a field: its path in the contract. Typing into it makes that go. */
  errorOf: (path: string) => string | undefined
  /** Takes the failure of sending it. */
  refuse: (error: unknown) => void
  reset: (values?: T) => void
  changed: boolean
}

interface Field<V, E> {
  value: V
  onChange: (given: E) => void
  error: string | undefined
}

interface Flag<V> {
  checked: V
  onChange: (event: { currentTarget: { checked: V } }) => void
}

/** @param initial by the names of the contract, so that its faults find their fields */
export function useForm<T extends object>(initial: T): Form<T> {
  const [start, setStart] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const set: Form<T>['set'] = (name, value) => {
    setValues((before) => ({ ...before, [name]: value }))
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([path]) => path.split('.').every((part) => part !== name))))
  }
  return {
    values,
    set,
    field: (name, path = name) => ({ value: values[name], onChange: (value) => set(name, value), error: errors[path] }),
    text: (name) => ({ value: values[name], onChange: ({ currentTarget }) => set(name, currentTarget.value), error: errors[name] }),
    flag: (name) => ({ checked: values[name], onChange: ({ currentTarget }) => set(name, currentTarget.checked) }),
    errorOf: (path) => errors[path],
    refuse: (error) => setErrors(fieldErrors(error)),
    reset(next = start) {
      setStart(next)
      setValues(next)
      setErrors({})
    },
    changed: JSON.stringify(values) !== JSON.stringify(start),
  }
}

/** How a frame sends a form by a change: what is refused is told at its fields. */
export const sentBy = <O, T extends object>(form: Form<T>, change: UseMutationResult<O, Error, T>) => ({
  onSubmit: () => change.mutate(form.values, { onError: form.refuse }),
  busy: change.isPending,
  error: change.error,
})
