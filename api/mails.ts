import { z } from 'zod'
import { route } from './route.ts'
import { idInput, idOutput, pageOf, pageQuery, Timestamp } from './schemas.ts'

const Mail = z
  .object({ id: idOutput('msg'), to: z.string(), subject: z.string(), text: z.string(), createdAt: Timestamp })
  .meta({ id: 'Mail' })
export type Mail = z.input<typeof Mail>

const ListMails = z.strictObject(pageQuery)
export type ListMails = z.output<typeof ListMails>

export const mails = {
  list: route({
    method: 'GET',
    path: '/v1/mails',
    summary: 'List messages that were written as files',
    description:
      'Newest first: what the service would have sent, had the operator set SMTP_URL. They carry links that invite people, so reading them takes the right to do so.',
    scope: 'members:write',
    query: ListMails,
    status: 200,
    reply: pageOf(Mail),
  }),
  get: route({
    method: 'GET',
    path: '/v1/mails/{mailId}',
    summary: 'Get a message that was written as a file',
    scope: 'members:write',
    params: z.object({ mailId: idInput('msg') }),
    status: 200,
    reply: Mail,
  }),
}
