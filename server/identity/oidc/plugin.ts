import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { generateState, handleOAuthUserInfo, parseState } from 'better-auth/oauth2'
import type { Logger } from 'pino'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Issuer } from './issuer.ts'
import { OidcError } from './oidc-error.ts'

export interface OidcOptions {
  readonly issuer: Issuer
  readonly log: Logger
  /** Returns whether the address has an open invitation. */
  readonly isInvited: (email: string) => Promise<boolean>
  /** Called after a sign-in was refused because the issuer has not verified the email address. */
  readonly onUnverifiedEmail: (email: string, headers: Headers | undefined) => Promise<void>
}

export const oidcSignInPath = '/sign-in/oidc'
export const oidcCallbackPath = '/oidc/callback'
export const oidcPaths: ReadonlySet<string> = new Set([oidcSignInPath, oidcCallbackPath])

/** Value of `account.provider_id`. */
const providerId = 'oidc'

/**
 * A better-auth plugin for sign-in with the configured identity provider. better-auth manages state, browser binding, accounts
 * and sessions. Its own generic OAuth plugin does not verify id_tokens, has no nonce, and sends requests past the SSRF guard.
 */
export function oidc({ issuer, log, isInvited, onUnverifiedEmail }: OidcOptions) {
  return {
    id: 'oidc',
    endpoints: {
      signInWithOidc: createAuthEndpoint(oidcSignInPath, { method: 'POST', body: z.object({}) }, (ctx) =>
        withApiErrors(log, async () => {
          const nonce = randomBytes(32).toString('base64url')
          const { state, codeVerifier } = await generateState(ctx, undefined, { nonce })
          const redirectUri = `${ctx.context.baseURL}${oidcCallbackPath}`
          return ctx.json({ url: await issuer.authorizationUrl({ state, nonce, codeVerifier, redirectUri }) })
        }),
      ),
      oidcCallback: createAuthEndpoint(oidcCallbackPath, { method: 'GET', query: Callback }, (ctx) =>
        withApiErrors(log, async () => {
          const { nonce, codeVerifier } = await parseState(ctx).catch((error: unknown) => {
            throw new OidcError('expired', 'the response belongs to no sign-in of this browser', error)
          })
          const { code, error, iss } = ctx.query
          if (code === undefined) throw new OidcError('issuer_refused', `the issuer refused the sign-in: ${error ?? 'no error code'}`)
          const redirectUri = `${ctx.context.baseURL}${oidcCallbackPath}`
          const person = await issuer.redeem({ code, nonce: String(nonce), codeVerifier, redirectUri, iss })
          const { accountId, email, emailVerified, name } = person
          if (!emailVerified) {
            await onUnverifiedEmail(email, ctx.headers)
            throw new OidcError('email_unverified', 'the issuer has not verified the email address')
          }
          const existing = await ctx.context.internalAdapter.findOAuthUser(email, accountId, providerId)
          if (existing === null && !(await isInvited(email))) throw new OidcError('no_user', 'no user and no invitation has this address')
          // The issuer's tokens are not stored: they are never used again.
          const { data, error: problem } = await handleOAuthUserInfo(ctx, {
            userInfo: { id: accountId, email, emailVerified, name },
            account: { providerId, accountId },
            trustProviderByName: false,
          })
          if (data === null) throw new Error(`the user could not be signed in: ${problem}`)
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

/** Converts an OidcError to better-auth's error: 503 if the issuer is at fault, otherwise 403. */
async function withApiErrors<T>(log: Logger, attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    log.warn({ err: error, code: error.code }, 'sign-in with the identity provider failed')
    throw new APIError(error.code === 'issuer_unavailable' ? 'SERVICE_UNAVAILABLE' : 'FORBIDDEN', {
      code: error.code,
      message: error.message,
    })
  }
}
