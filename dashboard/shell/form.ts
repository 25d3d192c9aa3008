import { useState } from 'react'
import { fieldErrors } from '../lib/errors.ts'

/** What is typed into a form, and what the service said of it at last. */
export interface Form<T extends object> {
  values: T
  set: <K extends keyof T>(name: K, value: T[K]) => void
  /** What is wrong with a field: its path in the contract. Typing into it makes that go. */
  errorOf: (path: string) => string | undefined
  /** Takes the failure of sending it. */
  refuse: (error: unknown) => void
  reset: (values?: T) => void
  changed: boolean
}

/** @param initial by the names of the contract, so that its faults find their fields */
export function useForm<T extends object>(initial: T): Form<T> {
  const [start, setStart] = useState(initial)
  const [values, setValues] = useState(initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  return {
    values,
    set(name, value) {
      setValues((before) => ({ ...before, [name]: value }))
      setErrors((before) => Object.fromEntries(Object.entries(before).filter(([path]) => path.split('.').every((part) => part !== name))))
    },
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
