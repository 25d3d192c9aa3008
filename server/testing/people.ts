import type { Role } from '@groundwork/api'
import type { FastifyInstance } from 'fastify'
import type { Platform } from '../platform.ts'
import { newId } from '../lib/ids.ts'
import type { Called } from './app.ts'

export const password = 'correct horse battery staple'

/** A signed-in user. */
export interface Person {
  userId: string
  email: string
  /** The Cookie header of the session. */
  cookie: string
  /** Sends a request with the session and the Origin of a page of this service, for the organization if one is given. */
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Called>
  /** Returns `call` for one organization. */
  of: (organizationId: string) => Person['call']
}

/** Creates a user who is a member of the organizations with these roles, and signs the user in. */
export async function person(
  { app, platform }: { app: FastifyInstance; platform: Platform },
  memberships: Readonly<Record<string, Role>> = {},
): Promise<Person> {
  const userId = newId()
  const email = `${userId}@example.com`
  const hash = await platform.identity.hashPassword(password)
  await platform.db.pool.query('select create_user($1, $2, $3, $4, $5)', [userId, 'Robin Moss', email, hash, new Date()])
  for (const [organizationId, role] of Object.entries(memberships))
    await platform.db.pool.query('insert into membership values ($1, $2, $3, $4)', [organizationId, userId, role, new Date()])
  const cookie = cookieOf(
    await platform.identity.signIn({ email, password }, { origin: { address: '127.0.0.1', requestId: 'req_x' }, userAgent: '' }),
  )
  const call: Person['call'] = (method, path, body, headers) => browse(app, { method, path, body, headers: { cookie, ...headers } })
  const of: Person['of'] = (organizationId) => (method, path, body, headers) =>
    call(method, path, body, { 'groundwork-organization': `org_${organizationId}`, ...headers })
  return { userId, email, cookie, call, of }
}

/** Returns the Cookie header for a Set-Cookie header. */
export const cookieOf = (set: string | string[] | number | undefined): string =>
  [set ?? []]
    .flat()
    .map((each) => String(each).split(';', 1)[0])
    .join('; ')

/** Sends a request with the Origin of a page of this service. */
export async function browse(
  app: FastifyInstance,
  { method, path, body, headers = {} }: { method: string; path: string; body?: unknown; headers?: Record<string, string> },
): Promise<Called> {
  const response = await app.inject({
    method: method as 'GET',
    url: path,
    headers: { origin: 'http://groundwork.test', ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const json = /^application\/json(?:;|$)/.test(String(response.headers['content-type']))
  return {
    status: response.statusCode,
    body: response.body === '' ? undefined : json ? response.json() : response.body,
    headers: response.headers,
  }
}
