import { AppError } from '../../lib/errors.ts'
import type { OrganizationWork } from '../../work.ts'
import { switchReindexQueue, type SwitchWhenReady } from './queue.ts'
import { switchReindex } from './switch.ts'

/**
 * Switches as somebody who asks for it without force. What that is refused for, worse answers above all, leaves the re-index
 * as it is; when something was built since, or is to be compared first, another job comes.
 */
export const switchReindexWork: OrganizationWork<SwitchWhenReady> = {
  queue: switchReindexQueue,
  async run(ctx, { baseId, reindexId }) {
    try {
      await switchReindex(ctx, baseId, reindexId, { force: false })
    } catch (error) {
      if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'not_found')) throw error
      ctx.log.info({ baseId, reindexId, reason: error.message }, 'a re-index does not switch by itself')
    }
  },
}
