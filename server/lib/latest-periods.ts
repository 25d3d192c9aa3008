/** The latest period of each organization for which something is known. */
export interface LatestPeriods {
  has(organizationId: string, period: number): boolean
  add(organizationId: string, period: number): void
}

/** Remembers at most this many organizations. */
const maxEntries = 10_000

/** @returns an empty record that forgets the organizations that were added first */
export function latestPeriods(): LatestPeriods {
  const periods = new Map<string, number>()
  return {
    has: (organizationId, period) => periods.get(organizationId) === period,
    add(organizationId, period) {
      periods.set(organizationId, period)
      const [oldest] = periods.size > maxEntries ? periods.keys() : []
      if (oldest !== undefined) periods.delete(oldest)
    },
  }
}
