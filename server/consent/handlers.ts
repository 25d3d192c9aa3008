import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { consentHistory, presentConsent, recordConsent } from './consent.ts'

export const consentHandlers: Handlers<GroundworkApi>['consent'] = {
  get: (ctx, { params }) => presentConsent(ctx, params.id),
  record: (ctx, { params, body }) => recordConsent(ctx, params.id, body),
  history: (ctx, { params, query }) => consentHistory(ctx, params.id, query),
}
