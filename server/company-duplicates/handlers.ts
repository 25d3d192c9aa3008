import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { countCompanyDuplicates, dismissCompanyDuplicate, listCompanyDuplicates } from './duplicates.ts'

export const companyDuplicateHandlers: Handlers<GroundworkApi>['companyDuplicates'] = {
  list: (ctx, { query }) => listCompanyDuplicates(ctx, query),
  count: (ctx, { query }) => countCompanyDuplicates(ctx, query),
  dismiss: (ctx, { params }) => dismissCompanyDuplicate(ctx, params.id),
}
