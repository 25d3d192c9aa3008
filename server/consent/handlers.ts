import type { GroundworkApi } from '@groundwork/api'
import { ofSurvivor } from '../contact-merges/survivor.ts'
import type { Handlers } from '../handlers.ts'
import { consentHistory, presentConsent, recordConsent } from './consent.ts'

export const consentHandlers: Handlers<GroundworkApi>['consent'] = {
  get: (ctx, { params }) => ofSurvivor(ctx, params.id, (id) => presentConsent(ctx, id)),
  record: (ctx, { params, body }) => ofSurvivor(ctx, params.id, (id) => recordConsent(ctx, id, body)),
  history: (ctx, { params, query }) => ofSurvivor(ctx, params.id, (id) => consentHistory(ctx, id, query)),
}
