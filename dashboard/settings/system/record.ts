import type { GroundworkApi, Received } from '@groundwork/api'

/** As the API answers it. */
export type System = Received<GroundworkApi['system']['get']>
