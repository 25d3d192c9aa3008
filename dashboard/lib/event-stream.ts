import { PermissionDeniedError } from '@groundwork/sdk'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSignedOut } from './errors.ts'
import type { Module } from './module.ts'
import { refreshSoon } from './refresh.ts'
import { goToSignIn, takeEventAtStart } from './session.ts'
import type { Workspace } from './workspace.ts'

/** Hidden tabs close their stream after this time, because browsers limit connections per host (6 over HTTP/1.1). */
const hiddenMs = 30_000
const retryMs = 3_000

/** `lost` after a connection has ended, `restored` after it is open again. */
export type LiveState = 'connecting' | 'connected' | 'lost' | 'restored'

const nextState = (connected: boolean, before: LiveState): LiveState =>
  connected ? (before === 'connecting' || before === 'connected' ? 'connected' : 'restored') : before === 'connecting' ? before : 'lost'

/** Follows the event stream of the organization and refetches queries that its events make stale. */
export function useLive(workspace: Workspace, rooms: readonly Module[]): LiveState {
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    if (!workspace.organization.scopes.includes('events:read')) return undefined
    const end = new AbortController()
    void whileVisible(end.signal, (signal) => follow(workspace, { rooms, queries, signal, setState }))
    return () => end.abort()
  }, [workspace, rooms, queries])
  return state
}

interface FollowOptions {
  rooms: readonly Module[]
  queries: QueryClient
  signal: AbortSignal
  setState: (update: (before: LiveState) => LiveState) => void
}

async function follow({ client, organization }: Workspace, { rooms, queries, signal, setState }: FollowOptions): Promise<void> {
  let lastEventId = takeEventAtStart(organization.id)
  // The stream has all changes since the first request of the page.
  let isComplete = lastEventId !== undefined
  const onConnection = (connected: boolean): void => {
    if (signal.aborted) return
    setState((before) => nextState(connected, before))
    // Data fetched before the stream was open may be stale, and requests may have failed while it was lost.
    if (connected && !isComplete) void queries.invalidateQueries({ queryKey: [organization.id] })
    isComplete = connected
  }
  while (!signal.aborted) {
    try {
      const stream = client.events.stream({ signal, onConnection, ...(lastEventId !== undefined && { lastEventId }) })
      lastEventId = undefined
      for await (const event of stream) {
        for (const room of rooms) room.show?.(event, { queries, organizationId: organization.id })
        refreshSoon(
          queries,
          rooms.flatMap((room) => room.touchedBy?.(event) ?? []).map((key) => [organization.id, ...key]),
        )
      }
    } catch (error) {
      if (isSignedOut(error)) return goToSignIn()
      if (error instanceof PermissionDeniedError) return undefined
      onConnection(false)
      await pause(retryMs, signal)
    }
  }
  return undefined
}

/** Runs `work` while the tab is visible. Stops it after the tab was hidden for 30 seconds, and starts it again later. */
async function whileVisible(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (): void => {
    current?.abort()
    current = undefined
  }
  const update = (): void => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(end, hiddenMs)
    } else if (current === undefined) {
      current = new AbortController()
      void work(current.signal)
    }
  }
  document.addEventListener('visibilitychange', update)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', update)
    clearTimeout(timer)
    end()
  })
  update()
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
