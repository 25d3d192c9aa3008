import {
  addTaskInput,
  addTaskOutput,
  getContactInput,
  getContactOutput,
  IdentifyContact,
  identifyContactInput,
  identifyContactOutput,
  logActivityInput,
  logActivityOutput,
} from '@groundwork/api'
import { createActivity } from '../../activities/activities.ts'
import { listActivities, listTasks } from '../../activities/list.ts'
import { ofSurvivor } from '../../contact-merges/survivor.ts'
import { getContact } from '../../contacts/contacts.ts'
import { identifyContact } from '../../contacts/identify.ts'
import { AppError } from '../../lib/errors.ts'
import { untrustedContentNotice } from '../../lib/untrusted-content.ts'
import { parsed } from '../integration.ts'
import { lineOf, shortened } from './short-contact.ts'
import { tool } from './tool.ts'

export const identifyContactTool = tool({
  name: 'identify_contact',
  title: 'Identify a contact',
  description:
    'Returns the contact that a person is, by phone number, email address, externalId or name, such as a caller. `result` is `one`, ' +
    '`several` or `none`. With `several`, ask for the name before you disclose anything. A name alone is never `one`.',
  scope: 'contacts:read',
  input: identifyContactInput,
  output: identifyContactOutput,
  async run(ctx, input) {
    if (Object.keys(input).length === 0) {
      throw new AppError(
        'validation_error',
        'Nothing about the person is given. Give a phone number, an email address, an externalId or a name.',
      )
    }
    const { result, candidates, brief } = await identifyContact(ctx, parsed(IdentifyContact, input))
    const contacts = candidates.map(({ contact, score, reasons }) => ({ ...shortened(contact), score, reasons }))
    const lines = contacts.map((each) => `${each.score}: ${lineOf(each)}`)
    return { data: { notice: untrustedContentNotice, result, contacts, brief }, text: [result, ...lines, brief ?? ''].join('\n').trim() }
  },
})

const latestActivities = 5
const nextTasks = 5

export const getContactTool = tool({
  name: 'get_contact',
  title: 'Read a contact',
  description: `Returns a contact with its consent, its ${latestActivities} latest activities and its ${nextTasks} next open tasks.`,
  scope: 'contacts:read',
  input: getContactInput,
  output: getContactOutput,
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

export const logActivity = tool({
  name: 'log_activity',
  title: 'Log an activity',
  description: 'Logs a note, call, email, message or meeting with a contact, such as a summary of the call when it ends.',
  scope: 'contacts:write',
  changes: 'creates',
  input: logActivityInput,
  output: logActivityOutput,
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
  input: addTaskInput,
  output: addTaskOutput,
  async run(ctx, { contactId: id, ...input }) {
    const activity = await ofSurvivor(ctx, id, (present) => createActivity(ctx, present, { ...input, type: 'task' }))
    return { data: { notice: untrustedContentNotice, activity }, text: `Added: ${activity.id}` }
  },
})
