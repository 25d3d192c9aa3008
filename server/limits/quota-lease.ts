/** A part of one window's quota of a token or organization, claimed by this process. */
export interface QuotaLease {
  readonly subjectId: string
  readonly quota: number
  readonly startsAt: number
  /** Claimed requests that are not used yet. */
  remaining: number
  /** Claim more when `remaining` falls to this number. */
  refillBelow: number
  /** Quota that no process had claimed at the last claim. */
  unclaimed: number
  /** Requests admitted in this window, and in the previous one. */
  served: number
  readonly servedBefore: number
  /** Number of requests that wait for a claim. */
  waiting: number
  claiming: Promise<boolean> | undefined
}

export const newLease = (subjectId: string, quota: number, startsAt: number, servedBefore: number): QuotaLease => ({
  subjectId,
  quota,
  startsAt,
  remaining: 0,
  refillBelow: 0,
  unclaimed: quota,
  served: 0,
  servedBefore,
  waiting: 0,
  claiming: undefined,
})

export const isUsedUp = (lease: QuotaLease): boolean => lease.remaining <= 0 && lease.unclaimed <= 0

/** Minimum lease: enough for an occasional caller, and little to lose. */
const minLeaseSize = 16

/**
 * Returns the number of requests to claim: about as many as were served so far, so that leases double under load and an idle
 * process claims little; at most a tenth of the unclaimed quota, so that every process gets a part near the end.
 */
export function nextLeaseSize({ unclaimed, served, servedBefore, waiting }: QuotaLease): number {
  const wanted = Math.max(minLeaseSize, served, Math.floor(servedBefore / 8), waiting)
  return Math.max(1, Math.min(wanted, Math.floor(unclaimed / 10)))
}
