import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query'
import { tellDone, tellFailed } from './notify.tsx'

interface Options<O, I> {
  /** Keys of the queries that the change makes old. */
  invalidates?: (answer: O, input: I) => readonly QueryKey[]
  /** What is said when it is done; nothing where the page shows it anyway. */
  done?: string | ((answer: O) => string)
  onDone?: (answer: O, input: I) => void
  /** A form shows faults at its fields and passes false. */
  notifyFailure?: boolean
}

/** A change by the API: asks again for what it makes old, and says how it went. */
export function useChange<O, I = void>(change: (input: I) => Promise<O>, options: Options<O, I> = {}): UseMutationResult<O, Error, I> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (answer, input) => {
      const { done } = options
      if (done !== undefined) tellDone(typeof done === 'string' ? done : done(answer))
      options.onDone?.(answer, input)
      await Promise.all((options.invalidates?.(answer, input) ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (error) => {
      if (options.notifyFailure !== false) tellFailed(error)
    },
  })
}
