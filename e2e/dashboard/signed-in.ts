import { Groundwork } from '@groundwork/sdk'
import type { BrowserContext } from 'playwright-core'
import { createToken, type Program } from '../program.ts'

export interface SignedIn {
  /** Where the dashboard is. */
  url: string
  /** The organization in its addresses. */
  slug: string
  /** The API on behalf of the same organization, by a token: for what a test needs to be there. */
  api: Groundwork
  /** Signs a browser in. */
  enter: (context: BrowserContext) => Promise<void>
}

/** Makes the first user, who owns the organization of the token. */
export async function signedIn(program: Program): Promise<SignedIn> {
  const { token } = await createToken(program)
  const { url } = program
  const response = await fetch(`${url}/v1/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ token: setupToken(program), ...owner, organizationName: 'Acme' }),
  })
  if (response.status !== 201) throw new Error(`the first user is not made: ${response.status} ${await response.text()}`)
  const me = (await response.json()) as { organizations: { slug: string }[] }
  const cookies = response.headers.getSetCookie().map((cookie) => {
    const [name = '', ...value] = cookie.split(';', 1)[0]?.split('=') ?? []
    return { name, value: value.join('='), url }
  })
  return {
    url,
    slug: me.organizations[0]?.slug ?? '',
    api: new Groundwork({ baseUrl: url, token }),
    enter: (context) => context.addCookies(cookies),
  }
}

export const owner = { name: 'Olivia Owner', email: 'olivia@example.com', password: 'a password of five words' }

/** As the program prints it as long as nobody can sign in. */
function setupToken(program: Program): string {
  const token = /\/app\/setup#(\S+)/.exec(program.output())?.[1]
  if (token === undefined) throw new Error(`the program prints no address to set it up:\n${program.output()}`)
  return token
}
