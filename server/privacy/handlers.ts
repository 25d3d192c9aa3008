import type { GroundworkApi } from '@groundwork/api'
import type { ErasureServices } from '../contacts/erase.ts'
import type { Handlers } from '../handlers.ts'
import { exportContact } from './export-contact.ts'

export const privacyHandlers: Handlers<GroundworkApi, ErasureServices>['privacy'] = {
  export: (ctx, { params }) => exportContact(ctx, params.id),
}
