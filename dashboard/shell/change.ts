import { GroundworkError } from '@groundwork/sdk'
import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query'
import { useCallback, useEffect, useRef } from 'react'
import { worded, type Refusals } from '../lib/errors.ts'
import { notifySuccess, notifyError } from './notify.tsx'
import { isNotFound } from './record-gone.tsx'

interface Options<O, I> {
  /** Returns the keys of the queries that the change makes stale. */
  invalidates?: (result: O, input: I) => readonly QueryKey[]
  /** The notification on success. Omit it if the page shows the result anyway. */
  done?: string | ((result: O) => string)
  onDone?: (result: O, input: I) => void
  /** Messages of known refusals by error code, or by code and field. Without `notifyFailure`, a message by code leaves errors of fields to the form. */
  refusals?: Refusals
  /** Whether failures show a notification. Forms pass false, because they show errors at their fields. */
  notifyFailure?: boolean
  /** Called after a failure, also if the component is no longer mounted. */
  onFailure?: (error: Error) => void
}

/** Returns a mutation that refetches the queries it makes stale and shows a notification on success and failure. */
export function useChange<O, I = void>(change: (input: I) => Promise<O>, options: Options<O, I> = {}): UseMutationResult<O, Error, I> {
  const queries = useQueryClient()
  const mutation = useMutation<O, Error, I>({
    mutationFn: (input) => change(input).catch((error: Error) => Promise.reject(wordedFor(error, options))),
    onSuccess: async (result, input) => {
      const { done } = options
      if (done !== undefined) notifySuccess(typeof done === 'string' ? done : done(result))
      options.onDone?.(result, input)
      await Promise.all((options.invalidates?.(result, input) ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (error) => {
      // The record was deleted: what the page shows is stale.
      if (isNotFound(error)) void queries.invalidateQueries()
      if (options.notifyFailure !== false) notifyError(error)
      options.onFailure?.(error)
    },
  })
  return { ...mutation, mutate: useOnceUntilShown(mutation) }
}

/**
 * Returns `mutate`, which ignores calls until the page has shown that the mutation is pending. The query client announces that in a later
 * task than the click, so the second click of a double click can come while the button is still enabled.
 */
function useOnceUntilShown<O, I>({
  mutate,
  submittedAt,
  status,
}: UseMutationResult<O, Error, I>): UseMutationResult<O, Error, I>['mutate'] {
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
  }, [submittedAt, status])
  return useCallback(
    (...call) => {
      if (!isShown.current) return
      isShown.current = false
      mutate(...call)
    },
    [mutate],
  )
}

/** A form shows errors at their fields, in the words of `messages/fields.ts`. */
function wordedFor(
  error: Error,
  { refusals = {}, notifyFailure = true }: Pick<Options<unknown, unknown>, 'refusals' | 'notifyFailure'>,
): Error {
  const isOfField = error instanceof GroundworkError && error.field !== undefined
  return isOfField && !notifyFailure && refusals[`${error.code}.${error.field}`] === undefined ? error : worded(error, refusals)
}
