import { z } from 'zod'
import { AuditActor } from './actor.ts'
import { withRule } from './field-rules.ts'
import { route } from './route.ts'
import {
  clearable,
  createdAt,
  idInput,
  idOutput,
  timestampInput,
  pastTimestampInput,
  pageOf,
  pageQuery,
  text,
  Timestamp,
  updatedAt,
  wholeNumber,
} from './schemas.ts'

export const activityTypes = ['note', 'call', 'email', 'message', 'meeting', 'task'] as const
export type ActivityType = (typeof activityTypes)[number]

/** Types whose latest time is the `lastInteractionAt` of the contact. */
export const interactionTypes = ['call', 'email', 'message', 'meeting'] as const satisfies readonly ActivityType[]

/** Types that need a text. */
const textTypes = ['note', 'task'] as const satisfies readonly ActivityType[]

const type = z.enum(activityTypes).describe('`note`, `call`, `email`, `message` (chat, SMS or messenger), `meeting` or `task`.')
const directions = ['inbound', 'outbound'] as const

export const Activity = z
  .object({
    id: idOutput('act'),
    contactId: idOutput('ctc'),
    type,
    direction: z.enum(directions).nullable().describe('`inbound`: from the contact; `outbound`: to the contact; null if unknown.'),
    text: z.string().nullable().describe('Content, such as the note, a summary of the call, or the task; null without one.'),
    durationSeconds: z.int().nullable().describe('Duration in seconds; null if unknown.'),
    occurredAt: Timestamp.describe('When it happened: UTC with milliseconds (ISO 8601). For a task, the time of its creation by default.'),
    externalId: z
      .string()
      .nullable()
      .describe('Your own id of the activity, such as that of the call, unique in the organization; null without one.'),
    dueAt: Timestamp.nullable().describe('When the task is due: UTC with milliseconds (ISO 8601); null without a due time.'),
    assigneeId: z
      .string()
      .nullable()
      .describe('Id of the member that the task is assigned to (`usr_…`); null without one, and if the user is no longer a member.'),
    doneAt: Timestamp.nullable().describe('When the task was done: UTC with milliseconds (ISO 8601); null for an open task.'),
    createdBy: AuditActor.nullable().describe('Author of the activity.'),
    createdAt,
    updatedAt,
  })
  .meta({ id: 'Activity', description: 'A note, call, email, message, meeting or task of a contact.' })
export type Activity = z.input<typeof Activity>

const activityText = text(1, 20_000)
const duration = wholeNumber(0, 604_800)

const fields = z.strictObject({
  direction: clearable(z.enum(directions)).describe('`inbound`: from the contact; `outbound`: to the contact. null clears it.'),
  text: clearable(activityText).describe('Content, such as the note, a summary of the call, or the task. Notes and tasks need one.'),
  durationSeconds: clearable(duration).describe('Duration in seconds, at most seven days. null clears it.'),
  externalId: clearable(text(1, 200)).describe('Your own id of the activity, unique in the organization. null clears it.'),
  dueAt: clearable(timestampInput).describe('When the task is due: a time with an offset (ISO 8601). Only for tasks. null clears it.'),
  assigneeId: clearable(idInput('usr')).describe('Id of the member that the task is assigned to. Only for tasks. null clears it.'),
  done: z.boolean().optional().describe('Whether the task is done. Only for tasks.'),
})
const occurredAt = pastTimestampInput
  .optional()
  .describe(
    'When it happened: a time with an offset (ISO 8601), not in the future. The present by default, and for a time up to five minutes ahead.',
  )

const taskFields = ['dueAt', 'assigneeId', 'done'] as const
const isTask = { required: ['type'], properties: { type: { const: 'task' } } }
const needsText = { required: ['type'], properties: { type: { enum: textTypes } } }

const ofTasks = <S extends z.ZodType>(schema: S): S =>
  withRule(
    schema,
    { anyOf: [isTask, { not: { anyOf: taskFields.map((name) => ({ required: [name], properties: { [name]: {} } })) } }] },
    (given) =>
      given['type'] === 'task'
        ? []
        : taskFields
            .filter((name) => given[name] !== undefined)
            .map((field) => ({ field, message: 'is only allowed for an activity of the type task' })),
  )

const withText = <S extends z.ZodType>(schema: S): S =>
  withRule(schema, { anyOf: [{ not: needsText }, { required: ['text'], properties: { text: { type: 'string' } } }] }, (given) =>
    typeof given['text'] !== 'string' && textTypes.some((each) => each === given['type'])
      ? [{ field: 'text', message: 'is required for a note and a task' }]
      : [],
  )

export const CreateActivity = withText(ofTasks(fields.extend({ type, occurredAt }))).meta({
  id: 'CreateActivity',
  description: 'A new activity. `text` is required for notes and tasks; `dueAt`, `assigneeId` and `done` are only allowed for tasks.',
  examples: [
    {
      type: 'call',
      direction: 'inbound',
      text: 'Asked for a quote for six bikes in June.',
      durationSeconds: 214,
      externalId: 'call-8f2c',
    },
  ],
})
export type CreateActivity = z.output<typeof CreateActivity>

export const UpdateActivity = fields.extend({ occurredAt }).meta({
  id: 'UpdateActivity',
  description:
    'Changes to an activity. Omitted fields keep their values. The type cannot be changed. `dueAt`, `assigneeId` and `done` are only allowed for tasks, and notes and tasks keep a text.',
  examples: [{ text: 'Asked for a quote for eight bikes.' }],
})
export type UpdateActivity = z.output<typeof UpdateActivity>

export const Task = Activity.extend({
  contactName: z.string().nullable().describe('Name of the contact, or its email address or phone number without a name.'),
}).meta({ id: 'Task', description: 'An open task, with the name of its contact.' })
export type Task = z.input<typeof Task>

const ListActivities = z.strictObject({
  ...pageQuery,
  type: z
    .union([z.enum(activityTypes), z.array(z.enum(activityTypes)).max(20)])
    .transform((value) => [value].flat())
    .optional()
    .meta({ description: 'Only activities of this type. Repeat the parameter for several types.' }),
})
export type ListActivities = z.output<typeof ListActivities>

const ListTasks = z.strictObject({
  ...pageQuery,
  assigneeId: idInput('usr').optional().meta({ description: 'Only tasks of this member.' }),
  contactId: idInput('ctc').optional().meta({ description: 'Only tasks about this contact.' }),
})
export type ListTasks = z.output<typeof ListTasks>

const ofContact = z.object({ id: idInput('ctc') })
const ofActivity = z.object({ id: idInput('ctc'), activityId: idInput('act') })

export const activities = {
  list: route({
    method: 'GET',
    path: '/v1/contacts/{id}/activities',
    summary: 'List the activities of a contact, newest first',
    description: 'Ordered by `occurredAt`.',
    scope: 'contacts:read',
    params: ofContact,
    query: ListActivities,
    status: 200,
    reply: pageOf(Activity),
  }),
  create: route({
    method: 'POST',
    path: '/v1/contacts/{id}/activities',
    location: '/v1/contacts/{contactId}/activities/{id}',
    summary: 'Log an activity',
    description:
      'Calls, emails, messages and meetings set `lastInteractionAt` of the contact. A repeated request with the same `externalId` returns the stored activity unchanged. 409 if the activity with this `externalId` has another type or contact.',
    scope: 'contacts:write',
    params: ofContact,
    body: CreateActivity,
    status: 201,
    reply: Activity,
    errors: ['conflict'],
  }),
  get: route({
    method: 'GET',
    path: '/v1/contacts/{id}/activities/{activityId}',
    summary: 'Get an activity',
    scope: 'contacts:read',
    params: ofActivity,
    status: 200,
    reply: Activity,
  }),
  update: route({
    method: 'PATCH',
    path: '/v1/contacts/{id}/activities/{activityId}',
    summary: 'Update an activity',
    description:
      'Omitted fields keep their values, and null clears a field. 409 if another activity has the `externalId`; 403 if an agent’s token did not write the activity.',
    scope: 'contacts:write',
    params: ofActivity,
    body: UpdateActivity,
    status: 200,
    reply: Activity,
    errors: ['conflict'],
  }),
  delete: route({
    method: 'DELETE',
    path: '/v1/contacts/{id}/activities/{activityId}',
    summary: 'Delete an activity',
    description:
      'Final. `lastInteractionAt` of the contact becomes the time of the latest activity that is left. 403 if an agent’s token did not write the activity.',
    scope: 'contacts:write',
    params: ofActivity,
    status: 204,
  }),
}

export const tasks = {
  list: route({
    method: 'GET',
    path: '/v1/tasks',
    summary: 'List open tasks',
    description: 'Open tasks of the organization by due time. Those without a due time come last.',
    scope: 'contacts:read',
    query: ListTasks,
    status: 200,
    reply: pageOf(Task),
  }),
}
