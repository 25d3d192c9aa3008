import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { countDuplicates, dismissDuplicate, listDuplicates } from './duplicates.ts'

export const contactDuplicateHandlers: Handlers<GroundworkApi>['contactDuplicates'] = {
  list: (ctx, { query }) => listDuplicates(ctx, query),
  count: (ctx, { query }) => countDuplicates(ctx, query),
  dismiss: (ctx, { params }) => dismissDuplicate(ctx, params.id),
}
