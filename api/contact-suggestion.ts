import { z } from 'zod'
import { AuditActor } from './actor.ts'
import { createdAt, idOutput, Timestamp } from './schemas.ts'

export const ContactSuggestion = z
  .object({
    id: idOutput('sug'),
    contactId: idOutput('ctc'),
    field: z.string().meta({ description: 'Name of the field, as in the history of the contact.', examples: ['jobTitle'] }),
    value: z.unknown().describe('The suggested value; null to clear the field.'),
    present: z.unknown().describe('The value that the contact had at that time.'),
    status: z.enum(['pending', 'accepted', 'dismissed']).describe('`pending` until somebody accepts or dismisses the suggestion.'),
    how: z.enum(['heard', 'imported', 'api']).describe('How the suggested value came about.'),
    reference: z.string().nullable().describe('Reference that the agent named, such as the id of a call; null without one.'),
    createdBy: AuditActor.describe('The agent.'),
    createdAt,
    decidedAt: Timestamp.nullable().describe('Time of the decision: UTC with milliseconds (ISO 8601); null before it.'),
  })
  .meta({ id: 'ContactSuggestion', description: 'A value that an agent wrote for a field that a person typed or verified.' })
export type ContactSuggestion = z.input<typeof ContactSuggestion>
