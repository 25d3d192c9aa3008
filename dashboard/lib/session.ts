import type { GroundworkApi, Received } from '@groundwork/api'
import { Groundwork } from '@groundwork/sdk'
import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { isSignedOut } from './errors.ts'

export type Me = Received<GroundworkApi['people']['me']>
export type User = Me['user']
/** An organization that the user is in, with what the role there may do. */
export type Membership = Me['organizations'][number]

/** The API on behalf of who is signed in, whatever the organization. */
export const sessionClient = (): Groundwork => new Groundwork({ baseUrl: window.location.origin })

/** Who is signed in. @throws AuthenticationError when nobody is */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: ({ signal }) => sessionClient().me.get({ signal }),
})

/**
 * For routes: who is signed in. When nobody is, the whole page is about to be left for the sign-in: this waits for that, so
 * that no failure is shown or told of meanwhile.
 */
export async function whoIsSignedIn(queries: QueryClient): Promise<Me> {
  try {
    return await queries.ensureQueryData(meQuery)
  } catch (error) {
    if (isSignedOut(error)) return new Promise(() => undefined)
    throw error
  }
}

const lastUsed = 'groundwork-organization'

/** The organization that was worked in last, else the first. */
export function startingOrganization(organizations: readonly Membership[]): Membership | undefined {
  const slug = localStorage.getItem(lastUsed)
  return organizations.find((one) => one.slug === slug) ?? organizations[0]
}

export const rememberOrganization = (slug: string): void => localStorage.setItem(lastUsed, slug)

/** Begins anew at the sign-in: the page is loaded again, so nothing of the user before stays in memory. */
export function goToSignIn(): void {
  const { pathname, search } = window.location
  if (pathname === '/app/sign-in') return
  window.location.assign(`/app/sign-in?${new URLSearchParams({ next: `${pathname}${search}` }).toString()}`)
}

export async function signOut(): Promise<void> {
  await fetch('/auth/sign-out', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
  window.location.assign('/app/sign-in')
}
