import { z } from 'zod'
import { route } from './route.ts'
import { createdAt, idInput, idOutput, pageOf, pageQuery } from './schemas.ts'

const Mail = z
  .object({
    id: idOutput('msg'),
    to: z.string().describe('E-mail address of the recipient.'),
    subject: z.string().describe('Subject of the message.'),
    text: z.string().describe('Plain text of the message.'),
    createdAt,
  })
  .meta({ id: 'Mail', description: 'An e-mail message that was stored because no mail server is configured.' })
export type Mail = z.input<typeof Mail>

const ListMails = z.strictObject(pageQuery)
export type ListMails = z.output<typeof ListMails>

export const mails = {
  list: route({
    method: 'GET',
    path: '/v1/mails',
    summary: 'List stored messages, newest first',
    description:
      'Without `SMTP_URL`, the service stores its e-mail messages and returns them here. They contain invitation links, so reading them needs the scope for inviting.',
    scope: 'members:write',
    query: ListMails,
    status: 200,
    reply: pageOf(Mail),
  }),
  get: route({
    method: 'GET',
    path: '/v1/mails/{mailId}',
    summary: 'Get a stored message',
    description: '404 if a mail server is configured.',
    scope: 'members:write',
    params: z.object({ mailId: idInput('msg') }),
    status: 200,
    reply: Mail,
  }),
}
