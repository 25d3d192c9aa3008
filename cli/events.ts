import { eventTypes, type EventType } from '@groundwork/api'
import type { EventOf } from '@groundwork/sdk'
import { command } from './command.ts'
import { UsageError } from './failure.ts'
import { printable } from './output.ts'
import { suggestion } from './suggest.ts'
import { splitList } from './tokens.ts'

export const tailEvents = command({
  words: 'events tail',
  takes: '',
  summary: 'show events as they happen, until Ctrl-C',
  details: `Types: ${eventTypes.join(', ')}`,
  options: {
    types: { type: 'string', value: 'LIST', about: 'comma-separated; all by default' },
    after: { type: 'string', value: 'EVENT_ID', about: 'start after this event instead of now' },
  },
  async run({ client, output, signal }, _none, { types, after }) {
    const wanted = types === undefined ? undefined : splitList(types).map(readType)
    const stream = client.events.stream({ signal, ...(wanted && { types: wanted }), ...(after !== undefined && { lastEventId: after }) })
    for await (const event of stream)
      await output.record(
        event,
        `${output.paint.dim(event.createdAt)}  ${output.paint.bold(event.type.padEnd(18))}  ${event.data.id}  ${printable(subjectOf(event))}`,
      )
  },
})

function readType(given: string): EventType {
  const type = eventTypes.find((known) => known === given)
  if (type !== undefined) return type
  const meant = suggestion(given, eventTypes)
  throw new UsageError(
    `unknown event type: ${given}; ${meant === undefined ? 'see groundwork events tail --help' : `did you mean "${meant}"?`}`,
  )
}

/** Returns the name of the event's record; events of later versions may have other fields. */
function subjectOf({ data }: EventOf<EventType>): string {
  const fields = new Map<string, unknown>(Object.entries(data))
  const text = (name: string): string => (typeof fields.get(name) === 'string' ? String(fields.get(name)) : '')
  const person = `${text('firstName')} ${text('lastName')}`.trim()
  return [text('title'), text('name'), person, text('email'), text('phone'), text('url')].find((name) => name !== '') ?? ''
}
