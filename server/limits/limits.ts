import type { Database } from '../db/database.ts'
import { claimRequests } from './claim.ts'
import { isUsedUp, newLease, nextLeaseSize, type QuotaLease } from './quota-lease.ts'

/** The result of counting a request. */
export interface Admission {
  /** The exhausted quota; null if the request is admitted. */
  readonly refusedBy: 'token' | 'organization' | null
  /** Value of the RateLimit header. */
  readonly state: string
  /** Seconds until the window ends, 1 to 60. */
  readonly resetSeconds: number
}

export interface Limits {
  /** Value of the RateLimit-Policy header; null if nothing is limited. */
  readonly policy: string | null
  /**
   * Counts one request. Returns a promise only if a lease must be claimed first.
   * @param quota requests per minute of the token, if it has its own
   */
  take(organizationId: string, tokenId: string, quota?: number): Admission | Promise<Admission>
}

export interface LimitsOptions {
  /** Requests per minute; 0 means no limit. */
  perToken: number
  perOrganization: number
  now: () => Date
  /** Called when a claim fails. The request passes uncounted. */
  onError: (error: Error) => void
}

const windowMs = 60_000

/**
 * Limits requests per minute of each token and each organization, across all processes on the database, in fixed windows of the
 * clock. A process claims leases on a window's quota and counts requests against a lease in memory, so most requests cost no
 * query. All processes together never admit more than the quota; requests left in a lease at the end of a window are lost. A
 * refused request uses no quota.
 */
export function createLimits(db: Database, { perToken, perOrganization, now, onError }: LimitsOptions): Limits {
  let startsAt = 0
  let leases = new Map<string, QuotaLease>()
  let previousLeases = new Map<string, QuotaLease>()

  function enterWindow(nowMs: number): void {
    const start = nowMs - (nowMs % windowMs)
    if (start === startsAt) return
    startsAt = start
    previousLeases = leases
    leases = new Map()
  }

  function leaseOf(subjectId: string, quota: number): QuotaLease | undefined {
    if (quota === 0) return undefined
    const known = leases.get(subjectId)
    if (known !== undefined) return known
    const lease = newLease(subjectId, quota, startsAt, previousLeases.get(subjectId)?.served ?? 0)
    leases.set(subjectId, lease)
    return lease
  }

  /** Claims more requests for a lease; concurrent calls share one claim. Returns whether the database answered. */
  function claim(organizationId: string, lease: QuotaLease): Promise<boolean> {
    lease.claiming ??= claimRequests(db, {
      organizationId,
      subjectId: lease.subjectId,
      startsAt: new Date(lease.startsAt),
      requests: nextLeaseSize(lease),
      quota: lease.quota,
    })
      .then(
        ({ granted, unclaimed }) => {
          lease.remaining += granted
          lease.refillBelow = Math.floor(granted / 2)
          lease.unclaimed = unclaimed
          return true
        },
        (error: Error) => {
          onError(error)
          return false
        },
      )
      .finally(() => (lease.claiming = undefined))
    return lease.claiming
  }

  /** Counts one request. Claims more before the lease is used up, so that requests rarely wait. */
  function use(organizationId: string, lease: QuotaLease | undefined): void {
    if (lease === undefined) return
    lease.remaining -= 1
    lease.served += 1
    if (lease.remaining <= lease.refillBelow && lease.unclaimed > 0 && lease.claiming === undefined) void claim(organizationId, lease)
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

  function takeNow(organizationId: string, tokenId: string, quota: number): Admission | undefined {
    const nowMs = now().getTime()
    enterWindow(nowMs)
    const token = leaseOf(tokenId, quota)
    const organization = leaseOf(organizationId, perOrganization)
    if (token !== undefined && isUsedUp(token)) return admission('token', nowMs, token, organization)
    if (organization !== undefined && isUsedUp(organization)) return admission('organization', nowMs, token, organization)
    if ((token !== undefined && token.remaining <= 0) || (organization !== undefined && organization.remaining <= 0)) return undefined
    use(organizationId, token)
    use(organizationId, organization)
    return admission(null, nowMs, token, organization)
  }

  async function takeWaiting(organizationId: string, tokenId: string, quota: number): Promise<Admission> {
    for (;;) {
      const exhausted = [leaseOf(tokenId, quota), leaseOf(organizationId, perOrganization)].filter(
        (lease) => lease !== undefined && lease.remaining <= 0,
      ) as QuotaLease[]
      for (const lease of exhausted) lease.waiting += 1
      const succeeded = await Promise.all(exhausted.map((lease) => claim(organizationId, lease)))
      for (const lease of exhausted) lease.waiting -= 1
      const taken = takeNow(organizationId, tokenId, quota)
      if (taken !== undefined) return taken
      // Admits the request uncounted while the database is unavailable. The request itself will fail if it needs the database.
      if (succeeded.includes(false)) {
        return admission(null, now().getTime(), leaseOf(tokenId, quota), leaseOf(organizationId, perOrganization))
      }
    }
  }

  return {
    policy: policyOf(perToken, perOrganization),
    take: (organizationId, tokenId, quota = perToken) =>
      takeNow(organizationId, tokenId, quota) ?? takeWaiting(organizationId, tokenId, quota),
  }
}

function policyOf(perToken: number, perOrganization: number): string | null {
  const policies = [
    ...(perToken === 0 ? [] : [`"token";q=${perToken};w=${windowMs / 1000}`]),
    ...(perOrganization === 0 ? [] : [`"organization";q=${perOrganization};w=${windowMs / 1000}`]),
  ]
  return policies.length === 0 ? null : policies.join(', ')
}

/**
 * Returns a RateLimit header (draft-ietf-httpapi-ratelimit-headers-10): remaining requests, as far as this process knows, and
 * seconds until the reset.
 */
function stateOf(token: QuotaLease | undefined, organization: QuotaLease | undefined, resetSeconds: number): string {
  const ofToken = token === undefined ? '' : `"token";r=${token.remaining + token.unclaimed};t=${resetSeconds}`
  if (organization === undefined) return ofToken
  const ofOrganization = `"organization";r=${organization.remaining + organization.unclaimed};t=${resetSeconds}`
  return token === undefined ? ofOrganization : `${ofToken}, ${ofOrganization}`
}
