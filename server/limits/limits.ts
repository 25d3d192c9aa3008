import type { Database } from '../db/database.ts'
import { claimRequests } from './claim.ts'
import { isUsedUp, newLease, nextLeaseSize, type QuotaLease } from './quota-lease.ts'

/** Whether a request may go on, and what its answer says of that. */
export interface Admission {
  /** Whose quota is used up; null for a request that may go on. */
  readonly refusedBy: 'token' | 'organization' | null
  /** The field RateLimit of the answer. */
  readonly state: string
  /** Seconds until the window ends, 1 to 60. */
  readonly resetSeconds: number
}

export interface Limits {
  /** The field RateLimit-Policy of every answer; null where nothing is limited. */
  readonly policy: string | null
  /** Counts one request; at once as long as this process has requests in hand, and where the quota is used up. */
  take(organizationId: string, tokenId: string): Admission | Promise<Admission>
}

export interface LimitsOptions {
  /** Requests a minute; 0 for no limit. */
  perToken: number
  perOrganization: number
  now: () => Date
  /** Told when a claim failed: the request goes on, uncounted. */
  onError: (error: Error) => void
}

const windowMs = 60_000

/**
 * Requests a minute of each token and of each organization, over all programs on the database, in fixed windows by the
 * clock. A program claims pieces of a window's quota and counts within a piece in memory, so most requests cost no query,
 * and the sum that all programs let through never exceeds the quota; what one of them holds unused when the window ends is
 * lost. A refused request takes nothing from any quota.
 */
export function createLimits(db: Database, { perToken, perOrganization, now, onError }: LimitsOptions): Limits {
  let startsAt = 0
  let shares = new Map<string, QuotaLease>()
  let before = new Map<string, QuotaLease>()

  function enterWindow(nowMs: number): void {
    const start = nowMs - (nowMs % windowMs)
    if (start === startsAt) return
    startsAt = start
    before = shares
    shares = new Map()
  }

  function shareOf(subjectId: string, quota: number): QuotaLease | undefined {
    if (quota === 0) return undefined
    const known = shares.get(subjectId)
    if (known !== undefined) return known
    const share = newLease(subjectId, quota, startsAt, before.get(subjectId)?.served ?? 0)
    shares.set(subjectId, share)
    return share
  }

  /** Whether there was an answer, however little it grants. One question at a time for each share. */
  function claim(organizationId: string, share: QuotaLease): Promise<boolean> {
    share.claiming ??= claimRequests(db, {
      organizationId,
      subjectId: share.subjectId,
      startsAt: new Date(share.startsAt),
      requests: nextLeaseSize(share),
      quota: share.quota,
    })
      .then(
        ({ granted, unclaimed }) => {
          share.left += granted
          share.low = Math.floor(granted / 2)
          share.unclaimed = unclaimed
          return true
        },
        (error: Error) => {
          onError(error)
          return false
        },
      )
      .finally(() => (share.claiming = undefined))
    return share.claiming
  }

  /** Takes one request; asks for the next piece before this one is used up, so that requests rarely wait for it. */
  function use(organizationId: string, share: QuotaLease | undefined): void {
    if (share === undefined) return
    share.left -= 1
    share.served += 1
    if (share.left <= share.low && share.unclaimed > 0 && share.claiming === undefined) void claim(organizationId, share)
  }

  const admission = (
    refusedBy: Admission['refusedBy'],
    nowMs: number,
    token: QuotaLease | undefined,
    organization: QuotaLease | undefined,
  ): Admission => {
    const resetSeconds = Math.ceil((startsAt + windowMs - nowMs) / 1000)
    return { refusedBy, resetSeconds, state: stateOf(token, organization, resetSeconds) }
  }

  function takeNow(organizationId: string, tokenId: string): Admission | undefined {
    const nowMs = now().getTime()
    enterWindow(nowMs)
    const token = shareOf(tokenId, perToken)
    const organization = shareOf(organizationId, perOrganization)
    if (token !== undefined && isUsedUp(token)) return admission('token', nowMs, token, organization)
    if (organization !== undefined && isUsedUp(organization)) return admission('organization', nowMs, token, organization)
    if ((token !== undefined && token.left <= 0) || (organization !== undefined && organization.left <= 0)) return undefined
    use(organizationId, token)
    use(organizationId, organization)
    return admission(null, nowMs, token, organization)
  }

  async function takeWaiting(organizationId: string, tokenId: string): Promise<Admission> {
    for (;;) {
      const lacking = [shareOf(tokenId, perToken), shareOf(organizationId, perOrganization)].filter(
        (share) => share !== undefined && share.left <= 0,
      ) as QuotaLease[]
      for (const share of lacking) share.waiting += 1
      const answered = await Promise.all(lacking.map((share) => claim(organizationId, share)))
      for (const share of lacking) share.waiting -= 1
      const taken = takeNow(organizationId, tokenId)
      if (taken !== undefined) return taken
      // The database does not answer: the request will find that out by itself.
      if (answered.includes(false)) {
        return admission(null, now().getTime(), shareOf(tokenId, perToken), shareOf(organizationId, perOrganization))
      }
    }
  }

  return {
    policy: policyOf(perToken, perOrganization),
    take: (organizationId, tokenId) => takeNow(organizationId, tokenId) ?? takeWaiting(organizationId, tokenId),
  }
}

function policyOf(perToken: number, perOrganization: number): string | null {
  const policies = [
    ...(perToken === 0 ? [] : [`"token";q=${perToken};w=${windowMs / 1000}`]),
    ...(perOrganization === 0 ? [] : [`"organization";q=${perOrganization};w=${windowMs / 1000}`]),
  ]
  return policies.length === 0 ? null : policies.join(', ')
}

/** RateLimit of draft-ietf-httpapi-ratelimit-headers-10: what is left, as far as this process knows, and for how long. */
function stateOf(token: QuotaLease | undefined, organization: QuotaLease | undefined, resetSeconds: number): string {
  const ofToken = token === undefined ? '' : `"token";r=${token.left + token.unclaimed};t=${resetSeconds}`
  if (organization === undefined) return ofToken
  const ofOrganization = `"organization";r=${organization.left + organization.unclaimed};t=${resetSeconds}`
  return token === undefined ? ofOrganization : `${ofToken}, ${ofOrganization}`
}
