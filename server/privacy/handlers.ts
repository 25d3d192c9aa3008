import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import type { ProposalServices } from '../proposals/context.ts'
import { exportContact } from './export-contact.ts'

export const privacyHandlers: Handlers<GroundworkApi, ProposalServices>['privacy'] = {
  export: (ctx, { params }) => exportContact(ctx, params.id),
}
