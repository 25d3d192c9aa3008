import { z } from 'zod'

export const AuditActor = z
  .object({
    type: z.enum(['token', 'user', 'recipient', 'system', 'command_line']).meta({
      description:
        '`token`: an API token; `user`: a signed-in user; `recipient`: the recipient of a proposal, on its page; `system`: the service itself, for instance after it processed a source; `command_line`: an operator on the server.',
    }),
    id: z.string().nullable().meta({ description: 'Id of the token, the user or the recipient; null for the other types.' }),
    name: z.string().nullable().meta({
      description:
        'Current name of the token, the user or the recipient; null for the other types, without a name, and if they no longer exist.',
    }),
  })
  .meta({ id: 'AuditActor', description: 'Author of a change.' })
export type AuditActor = z.input<typeof AuditActor>
