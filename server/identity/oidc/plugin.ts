import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { generateState, handleOAuthUserInfo, parseState } from 'better-auth/oauth2'
import type { Logger } from 'pino'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Issuer } from './issuer.ts'
import { OidcRefusal } from './refusal.ts'

export interface OidcOptions {
  readonly issuer: Issuer
  readonly log: Logger
  /** Whether the address has an invitation that is still open. */
  readonly isInvited: (email: string) => Promise<boolean>
  /** Told of somebody whom the issuer let in and the service did not. */
  readonly onRefused: (email: string, headers: Headers | undefined) => Promise<void>
}

export const oidcSignInPath = '/sign-in/oidc'
export const oidcCallbackPath = '/oidc/callback'
export const oidcPaths: ReadonlySet<string> = new Set([oidcSignInPath, oidcCallbackPath])

/** The account's provider in the table of accounts. */
const providerId = 'oidc'

/**
 * Signing in by the operator's identity provider. State, browser binding, accounts and sessions are the library's; its own
 * plugin for such providers neither verifies an id_token nor knows a nonce, and asks past the guarded door.
 */
export function oidc({ issuer, log, isInvited, onRefused }: OidcOptions) {
  return {
    id: 'oidc',
    endpoints: {
      signInWithOidc: createAuthEndpoint(oidcSignInPath, { method: 'POST', body: z.object({}) }, (ctx) =>
        refusing(log, async () => {
          const nonce = randomBytes(32).toString('base64url')
          const { state, codeVerifier } = await generateState(ctx, undefined, { nonce })
          const redirectUri = `${ctx.context.baseURL}${oidcCallbackPath}`
          return ctx.json({ url: await issuer.authorizationUrl({ state, nonce, codeVerifier, redirectUri }) })
        }),
      ),
      oidcCallback: createAuthEndpoint(oidcCallbackPath, { method: 'GET', query: Callback }, (ctx) =>
        refusing(log, async () => {
          const { nonce, codeVerifier } = await parseState(ctx).catch((error: unknown) => {
            throw new OidcRefusal('expired', 'the answer belongs to no sign-in of this browser', error)
          })
          const { code, error, iss } = ctx.query
          if (code === undefined) throw new OidcRefusal('issuer_refused', `the issuer let nobody in: ${error ?? 'no reason'}`)
          const redirectUri = `${ctx.context.baseURL}${oidcCallbackPath}`
          const person = await issuer.redeem({ code, nonce: String(nonce), codeVerifier, redirectUri, iss })
          const { accountId, email, emailVerified, name } = person
          if (!emailVerified) {
            await onRefused(email, ctx.headers)
            throw new OidcRefusal('email_unverified', 'the issuer has not verified the e-mail address')
          }
          const known = await ctx.context.internalAdapter.findOAuthUser(email, accountId, providerId)
          if (known === null && !(await isInvited(email)))
            throw new OidcRefusal('no_user', 'nobody has this address, and it is not invited')
          // No token of the issuer's is kept: nothing is ever asked of it again in the person's name.
          const { data, error: fault } = await handleOAuthUserInfo(ctx, {
            userInfo: { id: accountId, email, emailVerified, name },
            account: { providerId, accountId },
            trustProviderByName: false,
          })
          if (data === null) throw new Error(`the user could not be signed in: ${fault}`)
          await setSessionCookie(ctx, data)
          return ctx.json({})
        }),
      ),
    },
  } satisfies BetterAuthPlugin
}

const Callback = z.object({
  code: z.string().optional(),
  state: z.string().optional(),
  error: z.string().optional(),
  iss: z.string().optional(),
})

/** A refusal as the library answers one: 503 where the issuer is to blame, else 403. */
async function refusing<T>(log: Logger, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof OidcRefusal)) throw error
    log.warn({ err: error, code: error.code }, 'nobody was signed in by the identity provider')
    throw new APIError(error.code === 'issuer_unavailable' ? 'SERVICE_UNAVAILABLE' : 'FORBIDDEN', {
      code: error.code,
      message: error.message,
    })
  }
}
