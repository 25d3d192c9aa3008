import { PermissionDeniedError } from '@groundwork/sdk'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isSignedOut } from './errors.ts'
import type { LiveEvent, Room } from './room.ts'
import { goToSignIn } from './session.ts'
import type { Workspace } from './workspace.ts'

/** Events that come together, as an import's do, are answered together. */
const gatherMs = 200
/** What is not seen needs no news, and browsers allow few connections to one service: a stream in each of many tabs would take all. */
const hiddenMs = 30_000
const againMs = 3_000

/** `lost` until the connection that was there is made again; then it is `restored`. */
export type LiveState = 'connecting' | 'connected' | 'lost' | 'restored'

const afterNews = (connected: boolean, before: LiveState): LiveState =>
  connected ? (before === 'connecting' || before === 'connected' ? 'connected' : 'restored') : before === 'connecting' ? before : 'lost'

/** Follows what happens in the organization, and asks again for what is shown and became old by it. */
export function useLive(workspace: Workspace, rooms: readonly Room[]): LiveState {
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  useEffect(() => {
    if (!workspace.organization.scopes.includes('events:read')) return undefined
    const end = new AbortController()
    void whileVisible(end.signal, (signal) => follow(workspace, { rooms, queries, signal, tell: setState }))
    return () => end.abort()
  }, [workspace, rooms, queries])
  return state
}

interface Following {
  rooms: readonly Room[]
  queries: QueryClient
  signal: AbortSignal
  tell: (state: (before: LiveState) => LiveState) => void
}

async function follow({ client, organization }: Workspace, { rooms, queries, signal, tell }: Following): Promise<void> {
  const onConnection = (connected: boolean): void => {
    if (signal.aborted) return
    tell((before) => afterNews(connected, before))
    // What was asked before the stream began, or failed while it was lost, may be old.
    if (connected) void queries.invalidateQueries({ queryKey: [organization.id] })
  }
  const take = gathered((events: readonly LiveEvent[]) => {
    for (const key of keysOf(rooms, events)) void queries.invalidateQueries({ queryKey: [organization.id, ...key] })
  })
  while (!signal.aborted) {
    try {
      for await (const event of client.events.stream({ signal, onConnection })) {
        for (const room of rooms) room.show?.(event, { queries, organizationId: organization.id })
        take(event)
      }
    } catch (error) {
      if (isSignedOut(error)) return goToSignIn()
      if (error instanceof PermissionDeniedError) return undefined
      onConnection(false)
      await pause(againMs, signal)
    }
  }
  return undefined
}

/** The queries that these events make old, each once. */
export function keysOf(rooms: readonly Room[], events: readonly LiveEvent[]): readonly (readonly unknown[])[] {
  const keys = events.flatMap((event) => rooms.flatMap((room) => room.touchedBy?.(event) ?? []))
  return [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()]
}

function gathered<T>(handle: (all: readonly T[]) => void): (one: T) => void {
  let waiting: T[] = []
  return (one) => {
    waiting.push(one)
    if (waiting.length > 1) return
    setTimeout(() => {
      handle(waiting)
      waiting = []
    }, gatherMs)
  }
}

/** Runs `work` while the tab is seen: ends it when it has been hidden for a while, and begins it anew. */
async function whileVisible(signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  let current: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = (): void => {
    current?.abort()
    current = undefined
  }
  const look = (): void => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') {
      timer = setTimeout(end, hiddenMs)
    } else if (current === undefined) {
      current = new AbortController()
      void work(current.signal)
    }
  }
  document.addEventListener('visibilitychange', look)
  signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', look)
    clearTimeout(timer)
    end()
  })
  look()
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })
