import { forgetting } from '../forgetting.ts'

/** Events are kept for 90 days. */
export const oldEvents = forgetting('forget-events', { keptDays: 90, dropOld: 'forget_old_events' })
