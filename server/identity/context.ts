import type { Context, CoreServices, Origin } from '../context.ts'
import type { AuthenticationThrottle } from '../limits/authentication-throttle.ts'
import type { Identity, Session } from './identity.ts'

export interface IdentityServices {
  /** Users and their sessions. */
  readonly identity: Identity
}

export interface IdentityContext extends Context, IdentityServices {}

/** The context of a handler without authentication. The handler checks permissions itself. */
export interface PublicContext extends CoreServices, IdentityServices {
  readonly origin: Origin
  /** The Cookie header, if the request comes from a page of this service; empty otherwise. */
  readonly cookies: string
  /** The User-Agent header, which the list of sessions shows; empty without one. */
  readonly userAgent: string
  /** Limits database look-ups of unknown secrets by client address. */
  readonly authenticationThrottle: AuthenticationThrottle
}

/** The context of a handler for a signed-in user, without an organization. */
export interface SessionContext extends PublicContext {
  readonly session: Session
}
