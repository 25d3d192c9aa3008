import { retention } from '../retention.ts'

export const eventRetention = retention('forget-events', { retentionDays: 90, deleteFunction: 'forget_old_events' })
