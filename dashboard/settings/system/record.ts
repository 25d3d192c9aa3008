import type { GroundworkApi, Received } from '@groundwork/api'

/** The system status in the API response. */
export type System = Received<GroundworkApi['system']['get']>
