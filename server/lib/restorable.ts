/** Days in which a deleted contact or company can be restored. */
const restorableDays = 30

/** Seconds until a deleted record is purged. */
export const restorableSeconds = restorableDays * 86_400

/** Returns the time since which deleted records can be restored. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - restorableSeconds * 1000)

/** Returns the time after which a deleted record is purged. */
export const restorableUntil = (deletedAt: Date): Date => new Date(deletedAt.getTime() + restorableSeconds * 1000)
