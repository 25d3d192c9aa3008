import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import { createOrganization } from './create.ts'
import { getOrganization, updateOrganization } from './own.ts'

export const organizationHandlers: Handlers<GroundworkApi>['organizations'] = {
  create: (ctx, { body }) => createOrganization(ctx, body),
  get: (ctx) => getOrganization(ctx),
  update: (ctx, { body }) => updateOrganization(ctx, body),
}
