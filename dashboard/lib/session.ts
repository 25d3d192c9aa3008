import type { GroundworkApi, Received } from '@groundwork/api'
import { Groundwork } from '@groundwork/sdk'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './errors.ts'

type ReceivedMe = Received<GroundworkApi['people']['me']>
/** An organization of the user, with the permissions of the user’s role. */
export type Membership = Omit<ReceivedMe['organizations'][number], 'lastEventId'>
export type Me = Omit<ReceivedMe, 'organizations'> & { organizations: Membership[] }
export type User = Me['user']

/** Returns an API client for the signed-in user, without an organization. */
export const sessionClient = (): Groundwork => new Groundwork({ baseUrl: window.location.origin })

let userId: string | undefined

/** Returns the id of the user on pages that need a session. */
export const currentUserId = (): string | undefined => userId

/** The key of unsaved input in session storage. */
export const draftsKey = 'groundwork-drafts'

/** After this time, a page refetches its data rather than reading every event since its start. */
const maxStartMs = 60_000
/** The newest event of each organization before all other requests of the page. */
let atStart: { readonly events: Map<string, string>; readonly readAt: number } | undefined

/**
 * Returns the event that was the organization’s newest one when the page started, for its first event stream. Undefined for later
 * streams, if the organization had no event, and a minute after the start.
 */
export function takeEventAtStart(organizationId: string): string | undefined {
  if (atStart === undefined) return undefined
  const eventId = Date.now() < atStart.readAt + maxStartMs ? atStart.events.get(organizationId) : undefined
  atStart.events.clear()
  return eventId
}

/** The signed-in user. @throws AuthenticationError without a session */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Me> => {
    const { user, organizations } = await sessionClient().me.get({ signal })
    atStart ??= {
      events: new Map(organizations.flatMap(({ id, lastEventId }) => (lastEventId === null ? [] : [[id, lastEventId]]))),
      readAt: Date.now(),
    }
    // Without the newest event, which changes often, the organization stays the same object as long as nothing of it changes.
    return { user, organizations: organizations.map(({ lastEventId: _newest, ...organization }) => organization) }
  },
})

/**
 * Returns the signed-in user, for routes. Without a session, the promise never settles: the query client is already
 * redirecting to sign-in, and no error should appear meanwhile.
 */
export async function whoIsSignedIn(queries: QueryClient): Promise<Me> {
  try {
    const me = await queries.ensureQueryData(meQuery)
    userId = me.user.id
    return me
  } catch (error) {
    if (isSignedOut(error)) return new Promise(() => undefined)
    throw error
  }
}

const lastUsed = 'groundwork-organization'

/** Returns the last used organization, or else the first one. */
export function startingOrganization(organizations: readonly Membership[]): Membership | undefined {
  const slug = localStorage.getItem(lastUsed)
  return organizations.find((organization) => organization.slug === slug) ?? organizations[0]
}

export const rememberOrganization = (slug: string): void => localStorage.setItem(lastUsed, slug)

let isSigningOut = false
let isLeaving = false

/** Returns whether the page is left for sign-in, where nobody needs to be asked: drafts of forms are kept. */
export const isLeavingForSignIn = (): boolean => isLeaving

/** Opens sign-in with a full page load, so that no data of the previous user stays in memory. It then returns to this page. */
export function goToSignIn(): void {
  const { pathname, search } = window.location
  // Requests of the page that end during a sign-out are refused: the next user must not return to this page.
  if (isSigningOut || pathname === '/app/sign-in') return
  isLeaving = true
  window.location.assign(`/app/sign-in?${new URLSearchParams({ next: `${pathname}${search}` }).toString()}`)
}

/** Opens sign-in in place of handling an error. The promise never settles, so that nothing else happens meanwhile. */
export function whileLeaving(): Promise<never> {
  goToSignIn()
  return new Promise(() => undefined)
}

export async function signOut(): Promise<void> {
  isSigningOut = true
  try {
    await fetch('/auth/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  } catch (error) {
    isSigningOut = false
    throw error
  }
  isLeaving = true
  sessionStorage.removeItem(draftsKey)
  window.location.assign('/app/sign-in')
}
