import { retention } from '../retention.ts'

/** Events are kept for 90 days. */
export const eventRetention = retention('forget-events', { keptDays: 90, dropOld: 'forget_old_events' })
