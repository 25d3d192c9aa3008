import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { sql, type Kysely } from 'kysely'
import { decryptIdentity, type IdentitySecrets } from './second-factor.ts'
import { timeStepOf } from './time-step.ts'

type Context = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0]

/**
 * Accepts each code of an authenticator app once (RFC 6238, section 5.2), which better-auth does not. A code of the last accepted
 * time step of the user, or of an earlier one, is replaced by an empty code: better-auth then refuses and counts it like a wrong one.
 */
export const singleUseCodes = (identityDb: Kysely<unknown>, secrets: IdentitySecrets) => ({
  matcher: ({ path }: { path?: string }) => path === '/two-factor/verify-totp',
  handler: createAuthMiddleware(async (ctx) => {
    const { code } = ctx.body as { code?: unknown }
    if (typeof code !== 'string') return undefined
    const userId = await userOf(ctx)
    if (userId === undefined || (await claimStep(identityDb, { userId, code, secrets }))) return undefined
    return { context: { body: { ...(ctx.body as object), code: '' } } }
  }),
})

/** Returns the user that better-auth verifies the code for: of the session, or else of the begun sign-in. */
async function userOf(ctx: Context): Promise<string | undefined> {
  const session = await getSessionFromCtx(ctx)
  if (session !== null) return session.user.id
  const { name } = ctx.context.createAuthCookie('two_factor')
  const signIn = await ctx.getSignedCookie(name, ctx.context.secret)
  if (typeof signIn !== 'string') return undefined
  return (await ctx.context.internalAdapter.findVerificationValue(signIn))?.value
}

/** Records the time step of the code as the last one. Returns false if the code is invalid or its step is not later than the last. */
async function claimStep(
  identityDb: Kysely<unknown>,
  { userId, code, secrets }: { userId: string; code: string; secrets: IdentitySecrets },
): Promise<boolean> {
  const { rows } = await sql<{ id: string; secret: string }>`
    select id, secret from two_factor where user_id = ${userId}
  `.execute(identityDb)
  const [factor] = rows
  if (factor === undefined) return false
  const step = timeStepOf(code, await decryptIdentity(factor.secret, secrets), Date.now())
  if (step === undefined) return false
  const claimed = await sql`
    update two_factor set last_step = ${step} where id = ${factor.id} and (last_step is null or last_step < ${step}) returning id
  `.execute(identityDb)
  return claimed.rows.length === 1
}
