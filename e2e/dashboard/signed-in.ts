import { Groundwork } from '@groundwork/sdk'
import type { BrowserContext } from 'playwright-core'
import { createToken, type Program } from '../program.ts'

export interface SignedIn {
  /** The URL of the server. */
  url: string
  /** The slug of the organization. */
  slug: string
  /** An API client for the same organization, to prepare test data. */
  api: Groundwork
  /** The header with the session of the user. */
  cookie: string
  /** Signs a browser in. */
  enter: (context: Pick<BrowserContext, 'addCookies'>) => Promise<void>
}

/** Creates the first user, the owner of the token’s organization. */
export async function signedIn(program: Program): Promise<SignedIn> {
  const { token } = await createToken(program)
  const { url } = program
  const response = await fetch(`${url}/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token: setupToken(program), ...owner, organizationName: 'Acme' }),
  })
  if (response.status !== 201) throw new Error(`Creating the first user failed: ${response.status} ${await response.text()}`)
  const me = (await response.json()) as { organizations: { slug: string }[] }
  const cookies = response.headers.getSetCookie().map((cookie) => {
    const [name = '', ...value] = cookie.split(';', 1)[0]?.split('=') ?? []
    return { name, value: value.join('='), url }
  })
  return {
    url,
    slug: me.organizations[0]?.slug ?? '',
    api: new Groundwork({ baseUrl: url, token }),
    cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
    enter: (context) => context.addCookies(cookies),
  }
}

/** Creates another organization of the user, with a token that has the same permissions. */
export async function inNewOrganization(first: SignedIn): Promise<SignedIn> {
  const { url, cookie, api } = first
  const create = async <T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json', origin: url, cookie, ...headers } }
    const response = await fetch(`${url}${path}`, { ...init, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }
  const [original] = (await api.tokens.list().page()).data
  const { id, slug } = await create<{ id: string; slug: string }>('/v1/organizations', { name: 'Acme' })
  const token = { name: original?.name, scopes: original?.scopes }
  const { token: secret } = await create<{ token: string }>('/v1/tokens', token, { 'groundwork-organization': id })
  return { ...first, slug, api: new Groundwork({ baseUrl: url, token: secret }) }
}

export const owner = { name: 'Olivia Owner', email: 'olivia@example.com', password: 'a password of five words' }

/** Returns the token of the setup link, which the program prints until the first user exists. */
function setupToken(program: Program): string {
  const token = /\/app\/setup#(\S+)/.exec(program.output())?.[1]
  if (token === undefined) throw new Error(`The program printed no setup link:\n${program.output()}`)
  return token
}
