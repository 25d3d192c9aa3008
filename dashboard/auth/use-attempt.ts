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

/**
 * Runs a form submission on pages without a session. Errors stay on the page and never redirect.
 * @param refuse shows validation errors at the fields
 * @param token the secret of the link that was opened: an error disappears when another link is opened in the same tab
 */
export function useAttempt<I = void>(
  attempt: (input: I) => Promise<unknown>,
  { refuse, token = '' }: { refuse?: (error: unknown) => void; token?: string } = {},
): Attempt<I> {
  const [pending, setPending] = useState(false)
  const [failed, setFailed] = useState<{ error: unknown; token: string }>()
  const error = failed?.token === token ? failed.error : undefined
  return {
    pending,
    error,
    errorOf: (path) => fieldErrors(error)[path],
    async run(input) {
      setPending(true)
      setFailed(undefined)
      try {
        await attempt(input)
        return true
      } catch (failure) {
        setFailed({ error: failure, token })
        refuse?.(failure)
        return false
      } finally {
        setPending(false)
      }
    },
    clear: () => setFailed(undefined),
  }
}
