import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import type { FileServices } from '../files/context.ts'
import { getLogo } from './logo.ts'
import { createOrganization } from './create.ts'
import { getOrganization, updateOrganization } from './own.ts'

export const organizationHandlers: Handlers<GroundworkApi, FileServices>['organizations'] = {
  create: (ctx, { body }) => createOrganization(ctx, body),
  get: (ctx) => getOrganization(ctx),
  logo: (ctx) => getLogo(ctx),
  update: (ctx, { body }) => updateOrganization(ctx, body),
}
