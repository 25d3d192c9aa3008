import type { Scope } from '@groundwork/api'
import { errorFrom } from '@groundwork/sdk'
import { queryOptions } from '@tanstack/react-query'

/** An organization that the user is in, with what the role there may do. */
export interface Membership {
  id: string
  name: string
  slug: string
  role: 'owner' | 'admin' | 'member' | 'viewer'
  scopes: readonly Scope[]
}

export interface User {
  id: string
  name: string
  email: string
}

export interface Me {
  user: User
  organizations: readonly Membership[]
}

/** Who is signed in. @throws AuthenticationError when nobody is */
export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async ({ signal }): Promise<Me> => {
    const response = await fetch('/v1/me', { signal })
    const text = await response.text()
    if (!response.ok) throw errorFrom(response, text)
    return JSON.parse(text) as Me
  },
})

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
