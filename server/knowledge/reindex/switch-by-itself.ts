import type { ErrorCode } from '@groundwork/api'
import { AppError } from '../../lib/errors.ts'
import type { OrganizationWork } from '../../work.ts'
import type { KnowledgeContext } from '../context.ts'
import { switchReindexHandler, type SwitchWhenReady } from './queue.ts'
import { switchReindex } from './switch.ts'

/** With more chunks than the quota allows, a switch is refused too. */
const refusals: readonly ErrorCode[] = ['conflict', 'not_found', 'quota_exceeded']

/**
 * Switches without force. If the switch is refused, for example because answers would be worse, the re-index stays ready; if a
 * source was built since, or the evaluation is pending, another job follows.
 */
export const switchReindexWork: OrganizationWork<SwitchWhenReady, KnowledgeContext> = {
  name: switchReindexHandler,
  async run(ctx, { baseId, reindexId }) {
    try {
      await switchReindex(ctx, baseId, reindexId, { force: false })
    } catch (error) {
      if (!(error instanceof AppError) || !refusals.includes(error.code)) throw error
      ctx.log.info({ baseId, reindexId, reason: error.message }, 'a re-index does not switch by itself')
    }
  },
}
