import type { GroundworkApi } from '@groundwork/api'
import type { Handlers } from '../handlers.ts'
import type { MailServices } from './mailer.ts'
import { getMail, listMails } from './list.ts'

export const mailHandlers: Handlers<GroundworkApi, MailServices>['mails'] = {
  list: (ctx, { query }) => listMails(ctx, query),
  get: (ctx, { params }) => getMail(ctx, params.mailId),
}
