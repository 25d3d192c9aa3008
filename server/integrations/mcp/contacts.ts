import {
  Activity,
  activityTypes,
  Contact,
  ContactIdentity,
  CreateContact,
  IdentifyContact,
  idInput,
  idOutput,
  timestampInput,
  Task,
  text,
  wholeNumber,
} from '@groundwork/api'
import { z } from 'zod'
import { createActivity } from '../../activities/activities.ts'
import { listActivities, listTasks } from '../../activities/list.ts'
import { ofSurvivor } from '../../contact-merges/survivor.ts'
import { createContact, getContact, updateContact } from '../../contacts/contacts.ts'
import { upsertContact } from '../../contacts/upsert.ts'
import { identifyContact } from '../../contacts/identify.ts'
import { listContacts } from '../../contacts/list.ts'
import { AppError } from '../../lib/errors.ts'
import { parsed, type IntegrationContext } from '../integration.ts'
import { tool } from './tool.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'

const shortContact = z.object({
  contactId: idOutput('ctc'),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  tags: z.array(z.string()),
})
type ShortContact = z.output<typeof shortContact>

const shortened = ({ id, firstName, lastName, email, phone, tags }: Contact): ShortContact => ({
  contactId: id,
  firstName,
  lastName,
  email,
  phone,
  tags,
})

const lineOf = ({ contactId, firstName, lastName, email, phone, tags }: ShortContact): string =>
  [contactId, [firstName, lastName].filter((name) => name !== null).join(' '), email ?? '', phone ?? '', tags.join(' ')]
    .filter((part) => part !== '')
    .join(', ')

const { email, phone } = CreateContact.shape

const identity = IdentifyContact.shape
const candidate = ContactIdentity.shape.candidates.element.shape

export const identifyContactTool = tool({
  name: 'identify_contact',
  title: 'Identify a contact',
  description:
    'Returns who a person is, by phone number, email address or name, such as a caller. `result` is `one`, `several` or `none`. With ' +
    '`several`, ask for the name before you disclose anything. A name alone is never `one`.',
  scope: 'contacts:read',
  input: z.strictObject({ phone: identity.phone, email: identity.email, name: identity.name }),
  output: z.object({
    notice: z.string(),
    result: ContactIdentity.shape.result,
    contacts: z.array(shortContact.extend({ score: candidate.score, reasons: candidate.reasons })),
    brief: ContactIdentity.shape.brief,
  }),
  async run(ctx, input) {
    const { result, candidates, brief } = await identifyContact(ctx, parsed(IdentifyContact, input))
    const contacts = candidates.map(({ contact, score, reasons }) => ({ ...shortened(contact), score, reasons }))
    const lines = contacts.map((each) => `${each.score}: ${lineOf(each)}`)
    return { data: { notice: untrustedContentNotice, result, contacts, brief }, text: [result, ...lines, brief ?? ''].join('\n').trim() }
  },
})

/** Returns up to 20 contacts with the phone number or the email address, newest first. */
async function contactsWith(ctx: IntegrationContext, by: { phone?: string | null | undefined; email?: string | null | undefined }) {
  const found = new Map<string, Contact>()
  const pages = [
    ...(by.phone == null ? [] : [await listContacts(ctx, { phone: by.phone, limit: 20 })]),
    ...(by.email == null ? [] : [await listContacts(ctx, { email: by.email, limit: 20 })]),
  ]
  for (const { data } of pages) for (const contact of data) found.set(contact.id, contact)
  return [...found.values()].slice(0, 20)
}

const contactId = idInput('ctc')
const latestActivities = 5
const nextTasks = 5

export const getContactTool = tool({
  name: 'get_contact',
  title: 'Read a contact',
  description: `Returns a contact with its consent, its ${latestActivities} latest activities and its ${nextTasks} next open tasks.`,
  scope: 'contacts:read',
  input: z.strictObject({ contactId }),
  output: z.object({ notice: z.string(), contact: Contact, activities: z.array(Activity), tasks: z.array(Task) }),
  async run(ctx, input) {
    const contact = await getContact(ctx, input.contactId)
    const id = contact.id.slice(-36)
    const activities = (await listActivities(ctx, id, { limit: latestActivities })).data
    const tasks = (await listTasks(ctx, { limit: nextTasks, contactId: id })).data
    const lines = [
      lineOf(shortened(contact)),
      ...activities.map(({ type, occurredAt, text: content }) => `${occurredAt} ${type}: ${content ?? ''}`),
      ...tasks.map(({ dueAt, text: content }) => `Open task${dueAt === null ? '' : `, due ${dueAt}`}: ${content ?? ''}`),
    ]
    return { data: { notice: untrustedContentNotice, contact, activities, tasks }, text: lines.join('\n') }
  },
})

const { firstName, lastName, externalId, tags, source } = CreateContact.shape

export const saveContact = tool({
  name: 'save_contact',
  title: 'Save a contact',
  description:
    'Creates a contact, or changes an existing one. With contactId, changes this contact; otherwise the only contact with this phone ' +
    'number or email address, or creates one. Fields that you leave out keep their values, and tags are added. Spell names back to ' +
    'the person before you save them.',
  scope: 'contacts:write',
  changes: 'replaces',
  input: z.strictObject({
    contactId: contactId.optional(),
    firstName,
    lastName,
    email,
    phone,
    externalId,
    tags,
    source,
  }),
  output: z.object({ notice: z.string(), created: z.boolean(), contact: Contact }),
  async run(ctx, { contactId: id, ...input }) {
    const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value != null)) as typeof input
    const known = id === undefined ? await contactsWith(ctx, given) : [await getContact(ctx, id)]
    if (known.length > 1) {
      throw new AppError(
        'conflict',
        `Several contacts have this number or address: ${known.map((each) => each.id).join(', ')}. Give a contactId.`,
      )
    }
    const [before] = known
    const contact =
      before === undefined
        ? await createOnce(ctx, parsed(CreateContact, given))
        : await updateContact(ctx, before.id.slice(-36), {
            ...given,
            ...(given.tags != null && { tags: [...new Set([...before.tags, ...given.tags])] }),
          })
    const suggested = (contact.suggestions ?? []).map(({ field }) => field).join(', ')
    const note = suggested === '' ? '' : `\nSuggested to a person, because people typed or verified the present values: ${suggested}`
    const outcome = `${before === undefined ? 'Created' : 'Changed'}: ${lineOf(shortened(contact))}${note}`
    return { data: { notice: untrustedContentNotice, created: before === undefined, contact }, text: outcome }
  },
})

/** Creates a contact. Two calls at the same time with one number or address create one contact. */
function createOnce(ctx: IntegrationContext, input: CreateContact): Promise<Contact> {
  if (input.phone != null) return upsertContact(ctx, { ...input, matchOn: 'phone' })
  if (input.email != null) return upsertContact(ctx, { ...input, matchOn: 'email' })
  return createContact(ctx, input)
}

const activityOutput = z.object({ notice: z.string(), activity: Activity })
const externalIdOfActivity = text(1, 200)
  .optional()
  .meta({ description: 'Your own id, such as that of the call. A repeated call with it adds nothing.' })

export const logActivity = tool({
  name: 'log_activity',
  title: 'Log an activity',
  description: 'Logs a note, call, email, message or meeting with a contact, such as a summary of the call when it ends.',
  scope: 'contacts:write',
  changes: 'creates',
  input: z.strictObject({
    contactId,
    type: z.enum(activityTypes.filter((type) => type !== 'task')).meta({ description: 'Kind of the activity' }),
    direction: z.enum(['inbound', 'outbound']).optional().meta({ description: 'From the contact or to the contact' }),
    text: text(1, 20_000).meta({ description: 'Summary in a few sentences' }),
    durationSeconds: wholeNumber(0, 604_800).optional().meta({ description: 'Duration of a call or meeting in seconds' }),
    occurredAt: timestampInput.optional().meta({ description: 'Time with an offset (ISO 8601); the present by default' }),
    externalId: externalIdOfActivity,
  }),
  output: activityOutput,
  async run(ctx, { contactId: id, ...input }) {
    const activity = await ofSurvivor(ctx, id, (present) => createActivity(ctx, present, input))
    return { data: { notice: untrustedContentNotice, activity }, text: `Logged: ${activity.id}` }
  },
})

export const addTask = tool({
  name: 'add_task',
  title: 'Add a task',
  description: 'Adds a task about a contact for the members of the organization, such as calling back, with an optional due time.',
  scope: 'contacts:write',
  changes: 'creates',
  input: z.strictObject({
    contactId,
    text: text(1, 20_000).meta({ description: 'The task in one sentence' }),
    dueAt: timestampInput.optional().meta({ description: 'Due time with an offset (ISO 8601)' }),
    assigneeId: idInput('usr').optional(),
    externalId: externalIdOfActivity,
  }),
  output: activityOutput,
  async run(ctx, { contactId: id, ...input }) {
    const activity = await ofSurvivor(ctx, id, (present) => createActivity(ctx, present, { ...input, type: 'task' }))
    return { data: { notice: untrustedContentNotice, activity }, text: `Added: ${activity.id}` }
  },
})
