import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query'
import { notifySuccess, notifyError } from './notify.tsx'

interface Options<O, I> {
  /** Returns the keys of the queries that the change makes stale. */
  invalidates?: (result: O, input: I) => readonly QueryKey[]
  /** The notification on success. Omit it if the page shows the result anyway. */
  done?: string | ((result: O) => string)
  onDone?: (result: O, input: I) => void
  /** Whether failures show a notification. Forms pass false, because they show errors at their fields. */
  notifyFailure?: boolean
}

/** Returns a mutation that refetches the queries it makes stale and shows a notification on success and failure. */
export function useChange<O, I = void>(change: (input: I) => Promise<O>, options: Options<O, I> = {}): UseMutationResult<O, Error, I> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: async (result, input) => {
      const { done } = options
      if (done !== undefined) notifySuccess(typeof done === 'string' ? done : done(result))
      options.onDone?.(result, input)
      await Promise.all((options.invalidates?.(result, input) ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (error) => {
      if (options.notifyFailure !== false) notifyError(error)
    },
  })
}
