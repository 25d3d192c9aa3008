import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { getMe } from '../identity/me.ts'
import { setUp, setupNeeded } from './setup.ts'

export const peopleHandlers: Handlers<GroundworkApi>['people'] = {
  me: (ctx) => getMe(ctx),
  setupNeeded: (ctx) => setupNeeded(ctx),
  setUp: (ctx, { body }) => setUp(ctx, body),
}
