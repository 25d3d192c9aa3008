import { useState } from 'react'
import { fieldErrors } from '../lib/field-errors.ts'

/** The state of a form submission. */
export interface Attempt<I> {
  pending: boolean
  error: unknown
  /** Returns the error of a field by its API path. */
  errorOf: (path: string) => string | undefined
  /** Never rejects. @returns whether the attempt succeeded */
  run: (input: I) => Promise<boolean>
  clear: () => void
}

/** Runs a form submission on pages without a session. Errors stay on the page and never redirect. @param refuse shows validation errors at the fields */
export function useAttempt<I = void>(attempt: (input: I) => Promise<unknown>, refuse?: (error: unknown) => void): Attempt<I> {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    pending,
    error,
    errorOf: (path) => fieldErrors(error)[path],
    async run(input) {
      setPending(true)
      setError(undefined)
      try {
        await attempt(input)
        return true
      } catch (failure) {
        setError(failure)
        refuse?.(failure)
        return false
      } finally {
        setPending(false)
      }
    },
    clear: () => setError(undefined),
  }
}
