/** What this process holds of one window's quota of one token or organization. */
export interface QuotaLease {
  readonly subjectId: string
  readonly quota: number
  readonly startsAt: number
  /** Requests that it may let through without asking anybody. */
  left: number
  /** It asks for more when it has no more left than this. */
  low: number
  /** What nobody had claimed when it asked last. */
  unclaimed: number
  /** Requests that it let through in this window, and in the one before. */
  served: number
  readonly servedBefore: number
  /** Requests that wait for the next piece. */
  waiting: number
  claiming: Promise<boolean> | undefined
}

export const newLease = (subjectId: string, quota: number, startsAt: number, servedBefore: number): QuotaLease => ({
  subjectId,
  quota,
  startsAt,
  left: 0,
  low: 0,
  unclaimed: quota,
  served: 0,
  servedBefore,
  waiting: 0,
  claiming: undefined,
})

export const isUsedUp = (share: QuotaLease): boolean => share.left <= 0 && share.unclaimed <= 0

/** The first piece of a window: more than a rare caller needs, and little to hold unused. */
const firstPiece = 16

/**
 * The next piece to claim: about as much as was served so far, so that pieces double under load and an idle process holds
 * little that others could use; at most a tenth of what is left, so that every process gets something near the end.
 */
export function nextLeaseSize({ unclaimed, served, servedBefore, waiting }: QuotaLease): number {
  const wanted = Math.max(firstPiece, served, Math.floor(servedBefore / 8), waiting)
  return Math.max(1, Math.min(wanted, Math.floor(unclaimed / 10)))
}
