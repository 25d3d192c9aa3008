import { z } from 'zod'
import { AuditActor } from './actor.ts'
import { channels, consentStates } from './consent-states.ts'
import { Contact } from './contacts.ts'
import { route } from './route.ts'
import { clearable, createdAt, idInput, idOutput, pastTimestampInput, pageOf, pageQuery, text, Timestamp } from './schemas.ts'

const channel = z.enum(channels).describe('Channel of the consent: `email`, `phone`, `sms` or `post`.')
const state = z
  .enum(consentStates)
  .describe('`granted`: the contact agreed; `denied`: the contact refused or withdrew; `unknown`: neither is known.')

export const ConsentChange = z
  .object({
    id: idOutput('cns'),
    contactId: idOutput('ctc'),
    channel,
    state,
    at: Timestamp.describe('When the contact said so: UTC with milliseconds (ISO 8601).'),
    source: z.string().nullable().describe('Where the contact said so, such as `website form`; null if unknown.'),
    wording: z.string().nullable().describe('Text that the contact agreed to or refused, word for word; null if unknown.'),
    reference: z
      .string()
      .nullable()
      .describe('Id of the bulk change or revert (`job_…`) or of the import (`imp_…`) that recorded it; null for a single record.'),
    createdBy: AuditActor.describe('Author of the record.'),
    createdAt,
  })
  .meta({ id: 'ConsentChange', description: 'A consent of a contact for a channel, or its refusal.' })
export type ConsentChange = z.input<typeof ConsentChange>

export const RecordConsent = z
  .strictObject({
    channel,
    state,
    at: pastTimestampInput
      .optional()
      .describe(
        'When the contact said so: a time with an offset (ISO 8601), not in the future. The present by default, and for a time up to five minutes ahead.',
      ),
    source: clearable(text(1, 200)).describe('Where the contact said so, such as `website form`.'),
    wording: clearable(text(1, 5000)).describe('Text that the contact agreed to or refused, word for word.'),
  })
  .meta({
    id: 'RecordConsent',
    description: 'A consent of a contact for a channel, or its refusal.',
    examples: [{ channel: 'email', state: 'granted', source: 'website form', wording: 'Yes, send me offers by email.' }],
  })
export type RecordConsent = z.output<typeof RecordConsent>

const params = z.object({ id: idInput('ctc') })
const ConsentHistory = z.strictObject(pageQuery)
export type ConsentHistory = z.output<typeof ConsentHistory>

const latest = (name: string) => ConsentChange.nullable().describe(`Latest entry for ${name}; null without one.`)
export const PresentConsent = z
  .object({ email: latest('email'), phone: latest('phone calls'), sms: latest('text messages'), post: latest('post') })
  .meta({ id: 'PresentConsent', description: 'Present consent of a contact: the entry with the latest `at` of each channel.' })
export type PresentConsent = z.input<typeof PresentConsent>

export const consent = {
  get: route({
    method: 'GET',
    path: '/v1/contacts/{id}/consent',
    summary: 'Get the present consent of a contact',
    scope: 'contacts:read',
    params,
    status: 200,
    reply: PresentConsent,
  }),
  record: route({
    method: 'POST',
    path: '/v1/contacts/{id}/consent',
    summary: 'Record the consent of a contact',
    description:
      'Adds an entry to the history and returns the contact. `consent` of the contact has the state with the latest `at` for each channel. While `email` is `denied`, the service sends no email to the contact. An entry equal to the latest one of the channel is not added again. 403 if an agent’s token would replace a denial that others recorded.',
    scope: 'contacts:write',
    params,
    body: RecordConsent,
    status: 200,
    reply: Contact,
  }),
  history: route({
    method: 'GET',
    path: '/v1/contacts/{id}/consent/history',
    summary: 'List the history of the consent of a contact, newest entry first',
    scope: 'contacts:read',
    params,
    query: ConsentHistory,
    status: 200,
    reply: pageOf(ConsentChange),
  }),
}
