import { useState } from 'react'

/** One thing that a form does: whether it is under way, and why it failed. */
export interface Attempt<I> {
  pending: boolean
  error: unknown
  /** Never rejects. @returns whether it worked */
  run: (input: I) => Promise<boolean>
  clear: () => void
}

/** For pages on which nobody need be signed in: a refusal stays on the page, and leads nowhere else. @param refuse a form's */
export function useAttempt<I = void>(attempt: (input: I) => Promise<unknown>, refuse?: (error: unknown) => void): Attempt<I> {
  const [pending, setPending] = useState(false)
  const [error, setError] = useState<unknown>()
  return {
    pending,
    error,
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
