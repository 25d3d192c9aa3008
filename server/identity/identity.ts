import { hkdfSync } from 'node:crypto'
import type { Logger } from 'pino'
import type { Origin } from '../context.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../lib/errors.ts'
import { addressHeader, createLibrary, servedPaths } from './library.ts'
import { sessionToken, type SessionCookie } from './session-cookie.ts'
import { openSessions, type Session } from './sessions.ts'

export type { Session } from './sessions.ts'

/** People: who signs in, and whose session it is. The library behind it keeps users, credentials and sessions. */
export interface Identity {
  /** Answers what is asked below /auth. `address` is where the request came from. */
  handle(request: Request, address: string): Promise<Response>
  /** Whether the field Cookie of a request has a session of ours, ended or not. */
  presentsSession(cookies: string): boolean
  /**
   * The session of the field Cookie, remembered for less than a second.
   * @throws AppError `unauthorized` where there is none, or it has ended
   */
  sessionOf(cookies: string): Promise<Session>
  /** Lengthens the session when a day of it has passed: the field Set-Cookie of the answer; undefined when nothing changes. */
  renew(cookies: string): Promise<string | undefined>
  /** Begins a session of the user: the field Set-Cookie of the answer. */
  signIn(user: { email: string; password: string }, origin: Origin): Promise<string>
  hashPassword(password: string): Promise<string>
  /** Asks the database again about this user's sessions: his memberships have changed. */
  forget(userId: string): void
}

export interface IdentityOptions {
  readonly baseUrl: string
  readonly secretKey: string
  readonly log: Logger
  readonly now: () => Date
}

export function createIdentity(database: Database, { baseUrl, secretKey, log, now }: IdentityOptions): Identity {
  const secret = Buffer.from(hkdfSync('sha256', secretKey, '', 'groundwork identity', 32)).toString('base64')
  const library = createLibrary({ dialect: database.identity, baseUrl, secret, log })
  const cookie: SessionCookie = { name: `${baseUrl.startsWith('https:') ? '__Secure-' : ''}groundwork.session_token`, secret }
  const sessions = openSessions(database, { now })
  const sessionCookieIn = (headers: Headers): string | undefined =>
    headers.getSetCookie().find((each) => each.startsWith(`${cookie.name}=`))

  return {
    async handle(request, address) {
      const path = new URL(request.url).pathname.slice('/auth'.length)
      if (!servedPaths.has(path)) throw new AppError('not_found', `there is no ${request.method} /auth${path}`)
      request.headers.set(addressHeader, address)
      const answer = await library.handler(request)
      // Whatever it did, sessions and users may be others now.
      if (request.method !== 'GET') sessions.forget()
      return answer
    },
    presentsSession: (cookies) => sessionToken(cookies, cookie) !== undefined,
    async sessionOf(cookies) {
      const token = sessionToken(cookies, cookie)
      const session = token === undefined ? undefined : await sessions.find(token)
      if (session === undefined) throw new AppError('unauthorized', 'nobody is signed in, or the session has ended')
      return session
    },
    async renew(cookies) {
      const { headers } = await library.api.getSession({ headers: new Headers({ cookie: cookies }), returnHeaders: true })
      return sessionCookieIn(headers)
    },
    async signIn(body, { address }) {
      const { headers } = await library.api.signInEmail({ body, headers: new Headers({ [addressHeader]: address }), returnHeaders: true })
      const set = sessionCookieIn(headers)
      if (set === undefined) throw new Error('the sign-in set no cookie')
      return set
    },
    hashPassword: async (password) => (await library.$context).password.hash(password),
    forget: (userId) => sessions.forget(userId),
  }
}
