import type { UseMutationResult } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldErrors } from '../lib/errors.ts'

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

/** @param initial the initial values, named like the API fields, so that errors match their fields */
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

/** Returns the props that submit a form with a mutation and show validation errors at the fields. */
export const sentBy = <O, T extends object>(form: Form<T>, change: UseMutationResult<O, Error, T>) => ({
  onSubmit: () => change.mutate(form.values, { onError: form.refuse }),
  busy: change.isPending,
  error: change.error,
})
